# The app and the commands; HOSTING.md says how to run it.
FROM python:3.12-slim
LABEL org.opencontainers.image.title="Mergescope" org.opencontainers.image.licenses="MIT"

# For pictures as PNG: without them, only English is drawn.
RUN apt-get update \
    && apt-get install -y --no-install-recommends fonts-dejavu-core fonts-noto-core fonts-noto-color-emoji \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /mergescope
COPY hosting/requirements.lock .
RUN pip install --no-cache-dir --require-hashes -r requirements.lock

COPY pyproject.toml README.md LICENSE app.py ./
COPY .streamlit .streamlit
COPY bpe_core bpe_core
COPY pages pages
RUN pip install --no-cache-dir --no-deps . && useradd --uid 10001 --create-home visitor

# A number, so that Kubernetes' `runAsNonRoot` knows that it is not root.
USER 10001
WORKDIR /home/visitor
# The server reads both, and the health check the port.
ENV STREAMLIT_SERVER_ADDRESS=0.0.0.0 STREAMLIT_SERVER_PORT=8501
EXPOSE 8501
# Asked without urllib, which would go through a proxy where the environment names one.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["python", "-c", "\
from http.client import HTTPConnection; from os import environ; \
server = HTTPConnection('127.0.0.1', int(environ['STREAMLIT_SERVER_PORT']), timeout=4); \
path = '/' + environ.get('STREAMLIT_SERVER_BASE_URL_PATH', '') + '/_stcore/health'; \
server.request('GET', path.replace('//', '/')); \
exit(server.getresponse().status != 200)"]
# It refuses limits in the environment that cannot be used. Arguments after the image's name are its own.
ENTRYPOINT ["mergescope"]
