"""Live views as Streamlit components: values go in, requests come out. They know no session.

    request = read_request(messages)                             # messages: the session's value under the key
    now = position(request, [side], Position(step), version)     # the chosen step, pair, word
    film("key", request, [Stage(side, rows)], now, version, Layout())

Pages use `widgets.film_player` and `widgets.text_tokens`, which save what was chosen in the page's state.
"""
