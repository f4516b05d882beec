"""The session of a visitor, and what all sessions share.

State and link: `state`, `page_states`, `values`, `links`. Texts: `examples`, `corpora`, `your_text`. Trainings: `runs`,
`trainings`, `last_training`. Vocabularies: `tokenizer_keys`, `vocabularies`, `chosen_vocabulary`. The server: `server`,
`budget`.
"""
