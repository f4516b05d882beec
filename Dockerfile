# The app for a class or the public: docker build -t mergescope . && docker run -p 8501:8501 mergescope
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
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://localhost:8501/_stcore/health', timeout=4)"]
CMD ["streamlit", "run", "app.py", "--server.address=0.0.0.0"]
