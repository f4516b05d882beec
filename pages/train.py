"""Train: step through the merges of a training run and understand each one."""

import streamlit as st

from pages.parts.film import words
from pages.parts.film.film import Stage, Told
from pages.parts.film.run_side import RunSide
from pages.parts.session import branches, inputs, runs, state
from pages.parts.train import train_views
from pages.parts.views import sentences, token_chips
from pages.parts.widgets import controls, film_player, frame, training_status

PAGE = "train"

frame.page("pages/train.py")
state.open_page(PAGE)
with st.sidebar:
    controls.corpus(PAGE)
    controls.settings(PAGE)


def stages(now: Told) -> list[Stage]:
    """The run, with the words that were looked for."""
    window = words.words(run, now.find, now.sort)
    return [Stage(side, window.rows, window.note, sort=window.sort)]


def branch(_side: int, step: int, left: int, right: int) -> None:
    """Merge another pair at this step; what was chosen for later steps belonged to the run that is left here."""
    kept = {at: pair for at, pair in run.settings.forced.items() if at < step}
    state.put(PAGE, "chosen", branches.write(kept | {step: (run.tokens[left], run.tokens[right])}))
    state.go(PAGE, step)


def way_back() -> None:
    """Say which pairs were chosen against the rule, and give them up by one click."""
    steps = ", ".join(f"{at:,}" for at in sorted(run.settings.forced))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(token_chips.note(f"You chose the pair at step {steps}."), width="content")
        st.button("Back to the rule's choice", on_click=state.put, args=(PAGE, "chosen", ""))


# One slot for how far training is and then for what came of it: what stands below keeps its position.
slot, above, film, below = st.empty(), st.container(), st.container(), st.container()
with slot.container(), training_status.explained(PAGE):
    text, chosen = inputs.corpus(PAGE), inputs.settings(PAGE)
    run, glyph = runs.run_of(text, chosen), state.get(PAGE, "glyph")
    side = RunSide(run, glyph)
    inputs.say_retrained(PAGE, run)
    state.fit_step(PAGE, run.steps)
    slot.html(sentences.outcome(run, text.name))
    with above:
        frame.remarks(PAGE)
        if run.settings.forced:
            way_back()
    with film:
        film_player.play(PAGE, [side], stages, sorts=words.SORTS, branch=branch)
    state.publish(PAGE)
    with below:
        train_views.draw(PAGE, run, min(state.get(PAGE, "step"), run.steps), glyph)
