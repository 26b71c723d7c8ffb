"""With the argument `environment` it heeds proxy variables, which aiohttp does only when it is told to."""

import asyncio
import sys

import aiohttp
from steps import check


async def send(method, url, document):
    async with aiohttp.ClientSession(trust_env="environment" in sys.argv) as session:
        async with session.request(method, url, json=document) as response:
            return response.status, await response.text()


check(lambda *request: asyncio.run(send(*request)))
