# The app for a class or the public; the README's "Hosting it for a class" says how to run it.
FROM python:3.12-slim

WORKDIR /mergescope
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt

COPY app.py ./
COPY .streamlit .streamlit
COPY bpe_core bpe_core
COPY pages pages
RUN python -m compileall -q . && useradd --create-home visitor
USER visitor

EXPOSE 8501
# Asked without urllib, which would go through a proxy where the environment names one.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["python", "-c", "\
from http.client import HTTPConnection; server = HTTPConnection('127.0.0.1', 8501, timeout=4); \
server.request('GET', '/_stcore/health'); exit(server.getresponse().status != 200)"]
# The command `mergescope`: it refuses limits in the environment that cannot be used, and then is Streamlit's server.
CMD ["python", "-c", "from bpe_core.cli.mergescope import main; main()", "--server.address=0.0.0.0"]
