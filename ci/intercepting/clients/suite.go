package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
)

const api = "https://api.shop.test/v1"
const kettle = `{"id":16,"name":"kettle","price":{"amount":"39.90","currency":"EUR"},"tags":["kitchen"]}`
const lamp = `{"id":17,"name":"lamp","price":{"amount":"24.00","currency":"EUR"},"tags":["light","desk"]}`
const rug = `{"id":18,"name":"rug","price":{"amount":"120.50","currency":"EUR"},"tags":[]}`

func expect(method, url, body string, status int, expected string) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err == nil && body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if err != nil {
		fail(method, url, err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fail(method, url, err)
	}
	found, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || response.StatusCode != status || !equal(string(found), expected) {
		fail(method, url, err, response.StatusCode, string(found))
	}
}

func equal(found, expected string) bool {
	var left, right any
	if found == "" || expected == "" {
		return found == expected
	}
	json.Unmarshal([]byte(found), &left)
	json.Unmarshal([]byte(expected), &right)
	return reflect.DeepEqual(left, right)
}

func fail(what ...any) {
	fmt.Fprintln(os.Stderr, what...)
	os.Exit(1)
}

func main() {
	expect("GET", api+"/items?limit=1", "", 200, `{"items":[`+kettle+`],"total":3}`)
	expect("GET", api+"/items?limit=3", "", 200, `{"items":[`+kettle+","+lamp+","+rug+`],"total":3}`)
	expect("GET", api+"/items/17", "", 200, lamp)
	expect("GET", api+"/items/99", "", 404, `{"error":"no such item"}`)
	expect("POST", api+"/items", `{"name":"clock"}`, 201, `{"id":19,"name":"clock"}`)
	expect("GET", api+"/newest", "", 200, rug)
	expect("GET", api+"/report", "", 200, `{"sold":[7`+strings.Repeat(",7", 199)+`]}`)
	expect("DELETE", api+"/items/17", "", 204, "")
	expect("GET", "http://status.shop.test/up", "", 200, `{"up":true}`)
}
