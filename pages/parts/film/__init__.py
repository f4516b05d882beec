"""The film of a training: a component that plays every step of it in the browser. Values in, requests out; no session.

    side = RunSide(run, glyph)                                   # what is filmed; any `Side` will do
    request = read_request(messages)                             # messages: the session's value under the key
    now = position(request, [side], Position(step), version)     # what is chosen in the film: step, pair, word
    film("key", request, [Stage(side, rows)], now, version, Layout())

Pages use `widgets.film_player`, which keeps the values in the session. `version` is another number for each step that
the caller sets: the film adopts that step once; from then on the film leads, and `now.step` is where it came to rest.
Frames carry the digest of their side, so that none of another run is ever shown. Two stages have one step bar and
aligned rows.
"""
