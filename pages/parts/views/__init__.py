"""Values as data frames, charts, sentences and HTML, without Streamlit."""
