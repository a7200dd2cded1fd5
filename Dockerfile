# docker build -t gwl-dashboard .                                    PyTorch for the CPU
# docker build -t gwl-dashboard --build-arg TORCH_BACKEND=cu130 .    PyTorch for an NVIDIA GPU (docker run --gpus all)
# docker run --rm -p 8501:8501 --read-only --tmpfs /tmp:size=4g,mode=1777 gwl-dashboard
FROM python:3.11-slim

# Which of PyTorch's builds to install, by the names that uv knows: cpu, cu126, cu130, cu132
ARG TORCH_BACKEND=cpu

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /app

COPY requirements.txt .
RUN pip install --no-cache-dir uv==0.13.9 \
    && uv pip install --system --no-cache --compile-bytecode --torch-backend="$TORCH_BACKEND" -r requirements.txt \
    && pip uninstall --yes uv

COPY . .
RUN pip install --no-cache-dir --no-deps --no-build-isolation --editable . \
    && python -m dashboard.live_plot.setup \
    && useradd --create-home --uid 10001 gwl
USER gwl

# /tmp is the only folder that is written, so the rest may be read-only: kept runs, results, what libraries cache.
ENV HOME=/tmp/home TMPDIR=/tmp GWL_RESULTS=/tmp/results \
    NUMBA_CACHE_DIR=/tmp/numba MPLCONFIGDIR=/tmp/matplotlib DASK_TEMPORARY_DIRECTORY=/tmp

STOPSIGNAL SIGTERM
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["python", "-m", "streamlit", "run", "dashboard/app.py", "--server.port=8501", "--server.address=0.0.0.0", "--server.headless=true"]
