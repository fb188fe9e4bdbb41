import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type NodeWire, restingFetch } from "./resting-fetch.ts";
import { processSurroundings } from "./surroundings.ts";

let server: Server;
let url: string;
let asked: number;
let said: { readonly status: number; readonly headers?: Readonly<Record<string, string>> };
let nowMs: number;
let wire: NodeWire;
const surroundings = { ...processSurroundings, monotonicMs: () => nowMs };

beforeEach(async () => {
  [asked, nowMs, said] = [0, 0, { status: 429 }];
  server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(said.status, said.headers).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  url = `http://127.0.0.1:${address.port}`;
  wire = restingFetch(surroundings);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const ask = async (): Promise<number | string> => {
  try {
    return (await wire.fetch(url)).status;
  } catch (error) {
    return error instanceof Error ? error.message : "nothing";
  }
};
const resting = (seconds: number): string => `it asks for fewer requests, and is left alone for ${seconds} s`;

describe("a node that asks for fewer requests", () => {
  it.each([
    ["for the seconds that it asks for", { "retry-after": "7" }, 7],
    ["for decimals of a second, rounded up where it is reported", { "retry-after": "3.0" }, 3],
    ["for a second where it asks for none", { "retry-after": "0" }, 1],
    ["for a second where it does not say", {}, 1],
    ["for a second where it says nonsense", { "retry-after": "soon" }, 1],
    ["for a second where it asks for less than none", { "retry-after": "-5" }, 1],
    ["for a minute where it asks for a day", { "retry-after": "86400" }, 60],
    [
      "until the date that it names, by its own clock",
      { date: "Wed, 21 Oct 2015 07:28:00 GMT", "retry-after": "Wed, 21 Oct 2015 07:28:09 GMT" },
      9,
    ],
    [
      "for a second where that date is over",
      { date: "Wed, 21 Oct 2015 07:28:00 GMT", "retry-after": "Wed, 21 Oct 2015 07:00:00 GMT" },
      1,
    ],
    ["until its count begins anew, as Horizon says", { "x-ratelimit-reset": "12" }, 12],
  ])("is left alone %s", async (_, headers, seconds) => {
    said = { status: 429, headers };
    expect(await ask()).toBe(resting(seconds));
    nowMs = 1_000 * seconds - 1;
    expect(await ask()).toBe(resting(1));
    expect(asked).toBe(1);
    said = { status: 200 };
    nowMs += 1;
    expect(await ask()).toBe(200);
    expect(asked).toBe(2);
  });

  it("is left alone for twice as long each time in a row that it does not say for how long, a minute at most", async () => {
    const rests: (number | string)[] = [];
    for (let time = 0; time < 8; time += 1) {
      rests.push(await ask());
      nowMs += 60_000;
    }
    expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map(resting));
    said = { status: 200 };
    await ask();
    said = { status: 429 };
    expect(await ask()).toBe(resting(1));
  });

  it("is refused once for what was under way together", async () => {
    expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual(Array(4).fill(resting(1)));
    nowMs = 1_000;
    expect(await ask()).toBe(resting(2));
  });

  it("is left alone for a status 503 that names a time, and for no other", async () => {
    said = { status: 503 };
    expect([await ask(), await ask()]).toEqual([503, 503]);
    said = { status: 503, headers: { "retry-after": "4" } };
    expect([await ask(), await ask()]).toEqual([resting(4), resting(4)]);
    expect(asked).toBe(3);
  });

  it("is left alone when it says so in words, and nobody else is", async () => {
    const other = restingFetch(surroundings);
    said = { status: 200 };
    expect(wire.rest(5_000).message).toBe(resting(5));
    expect(await ask()).toBe(resting(5));
    expect((await other.fetch(url)).status).toBe(200);
  });
});
