"""The film of a training: a component that plays every step of it in the browser. Values in, events out; no session.

    side = RunSide(run, glyph)                          # what is filmed; any `Side` will do
    sent = the session's value under the component's key, {} at first
    now = film.told(sent, [side], Told(step), version)  # what was done in it so far: step, pair, word, find, sort
    film.film("key", sent, [Stage(side, rows)], now, version)

Pages use `widgets.film_player`, which keeps the values in the session. `step` and `version`: a step that the server
sets comes with a version of its own, which the film takes over once; from then on the film leads, and `now.step` says
where it has settled. Frames carry the digest of their side, so that none of another run is ever shown. Two stages have
one step bar and aligned rows. `parts` chooses what is shown of it.
"""
