"""Takes the pictures of the dashboard that the manual shows: screens.py UNDERSTUDY FOLDER.

They are of a server of the example that has got a request of each kind, with a case forced.
"""
import base64
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

CASES = ["ok", "ok", "slow", "not-found", "ok", "malformed", "reset", "ok"]
SIZES = [(1280, 800), (768, 900), (390, 844)]


def get(url, case=None, method="GET", body=None):
    headers = {"User-Agent": "jokes/1.0", **({"Prefer": f"example={case}"} if case else {})}
    try:
        urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method), timeout=10).read()
    except (urllib.error.URLError, ConnectionError):
        pass


def start(program, folder):
    subprocess.run([program, "init", "--example", "jokes"], cwd=folder, check=True, capture_output=True)
    server = subprocess.Popen([program, "serve", "--port", "0"], cwd=folder, stdout=subprocess.PIPE, text=True)
    return server, re.search(r"http://\S+", server.stdout.readline()).group()


def browser():
    options = webdriver.ChromeOptions()
    for name in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(name)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


def take(driver, url, file, size, theme):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": theme}]})
    driver.get("about:blank")
    driver.get(url)
    script = "return document.querySelectorAll('#rows tr').length > 3 && !document.querySelector('#chart').hidden" \
        " && document.querySelector('#legend li')"
    WebDriverWait(driver, 20).until(lambda driver: driver.execute_script(script))
    # The newest request is selected unless the address selects one.
    picture = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": 75})
    file.write_bytes(base64.b64decode(picture["data"]))
    print(file)


def main(program, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as stage:
        server, host = start(program, stage)
        driver = browser()
        try:
            joke = f"{host}/joke/api/random_joke"
            for case in CASES:
                get(joke, case)
            get(f"{host}/joke/api/random_jokes")
            get(f"{host}/__understudy/contracts/joke/random-joke/case", method="PUT", body=b'{"case":"slow"}')
            get(joke)
            page = f"{host}/__understudy/"
            for size in SIZES:
                for theme in ("light", "dark"):
                    take(driver, page, folder / f"list-{size[0]}-{theme}.webp", size, theme)
            for name, link in [("unmatched", "#request=9"), ("contract", "#contract=joke%2Frandom-joke")]:
                for theme in ("light", "dark"):
                    take(driver, page + link, folder / f"{name}-{theme}.webp", SIZES[0], theme)
        finally:
            driver.quit()
            server.terminate()
            server.wait()


main(*sys.argv[1:])
