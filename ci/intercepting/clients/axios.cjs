const axios = require("axios");
const { check } = require("./steps.cjs");

check(async (method, url, data) => {
  const asText = { responseType: "text", transformResponse: (text) => text };
  const { status, data: text } = await axios({ method, url, data, validateStatus: () => true, ...asText });
  return { status, text };
});
