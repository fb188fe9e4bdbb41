import { describe, expect, it } from "vitest";
import { opensByItself, reachesPastItsWorld } from "./ambient.ts";
import { sourcesBelow } from "./source-files.ts";

/** Files that may use ambient inputs besides their World, each with the reason. */
const REASONS: Readonly<Record<string, string>> = {
  "packages/gateway/src/login/decoys.ts": "Node draws a key pair by itself; its private half signs nothing",
  "packages/platform/src/postgres/connection/close.ts":
    "a socket to a host that vanished is destroyed after real time; a store in memory has none",
  "packages/platform/src/postgres/connection/held-lock.ts":
    "the server ends a transaction that is idle for a minute of real time, so a held lock is asked about before; a store in memory keeps locks in a table",
  "packages/platform/src/postgres/connection/sockets.ts":
    "sockets of a pool that is closed are destroyed after real time; a store in memory has none",
  "packages/platform/src/postgres/database.ts":
    "opens connections to a server, which only a process does: where it is handed no World, ids are the process's",
  "packages/platform/src/postgres/listener.ts":
    "a connection that hears is asked, and made anew, in real time; a store in memory has its own",
  "packages/platform/src/postgres/migrate.ts":
    "waits for locks of other sessions before anything works; in memory there are no other sessions",
  "packages/chains/src/breaker/node/surroundings.ts":
    "it is a process's way to nodes, which a simulated world hands in as another",
  "packages/chains/src/turns/node/in-turns.ts":
    "how often others have a turn in a long reading changes nothing that is read",
};

/** Files of assembled packages that reach outside, each with the reason. */
const OPENING: Readonly<Record<string, string>> = {
  "packages/gateway/src/gateway.ts": "it is the process, which opens the parts",
  "packages/gateway/src/bootstrap.ts": "it makes a process's database ready, by a file of credentials",
  "packages/gateway/src/config.ts": "it reads the settings of a process",
  "packages/gateway/src/key/keys.ts": "it reads the keys of a process",
  "packages/gateway/src/reading/reading-thread.ts": "it is the process's part that reads long bodies",
  "packages/gateway/src/reading/worker.ts": "it is the thread of that part",
  "packages/gateway/src/token-issuer.ts": "it is the process's part that makes tokens",
  "packages/gateway/src/user-action/action-tokens.ts":
    "it is the process's part that makes tokens of actions",
  "packages/gateway/src/http/server.ts": "it is the server of a process",
  "packages/gateway/src/http/unreadable-request.ts": "it answers for the server of a process",
  "packages/gateway/src/http/caller-address.ts": "it compares addresses, and opens no socket",
  "packages/gateway/src/guides/guides.ts":
    "pages at /docs/guides are files that a process has beside its code",
  "packages/gateway/src/routes/docs.ts": "the page at /docs is of files that a process has beside its code",
  "packages/gateway/src/webhooks/webhooks.ts":
    "it looks up the host of a new webhook, unless its settings allow private addresses",
};

const USE_CASE = "packages/gateway/src/token-issuer.ts";
const of = (path: string, text: string) => reachesPastItsWorld([{ path, text }]);

describe("code that is handed a World", () => {
  it.each([
    ["the clock", "const now = Date.now();"],
    ["the clock", "const now = new Date();"],
    ["the clock", "const now = new Date;"],
    ["the clock", "const now = Date();"],
    ["the clock", "const begun = performance.now();"],
    ["the clock", "const begun = process.hrtime.bigint();"],
    ["a timer", "setTimeout(f, 1);"],
    ["a timer", "setInterval(f, 1);"],
    ["a timer", "setImmediate(f);"],
    ["a timer", "wire.fetch(url, { signal: AbortSignal.timeout(1) });"],
    ["randomness", "Math.random();"],
    ["randomness", "randomBytes(1);"],
    ["randomness", "randomUUID();"],
    ["randomness", "randomInt(9);"],
    ["the world of a process", "makeFollower({ world: processWorld });"],
    ["the network", "const answered = await fetch(url);"],
    ["the network", "connect(globalThis.fetch);"],
    ["timers", 'import { scheduler } from "node:timers/promises";'],
    ["ids of the system's randomness", 'import { type Caller, freshId } from "@conclave/platform";'],
    ["ids of the system's randomness", 'import { freshId } from "../../fresh-id.ts";'],
  ])("is found when it reaches for %s: %s", (name, text) => {
    expect(of(USE_CASE, text)).toEqual([`${USE_CASE} reaches for ${name}; it has a World for that`]);
  });

  it.each(["packages/platform/src/postgres/attend.ts", "packages/platform/src/loop.ts"])(
    "is that of loops and tables too: %s",
    (path) => {
      expect(of(path, "setTimeout(f, 1);")).toHaveLength(1);
    },
  );

  it.each([
    ["a date of a given time", USE_CASE, "const date = new Date(nowMs); // not Date.now()"],
    ["an id of its world", USE_CASE, 'world.freshId(keyIdSchema, "key");'],
    ["its own timers", "packages/platform/src/loop.ts", "world.after(1, f);"],
    ["the network that it was handed", "packages/chains/src/xrpl/node/json-rpc.ts", "wire.fetch(url);"],
    ["a clock, in a test", "packages/gateway/src/token-issuer.test.ts", "Date.now();"],
    ["a clock, as an adapter", "packages/platform/src/grpc/peer-client.ts", "Date.now();"],
  ])("may have %s", (_, path, text) => {
    expect(of(path, text)).toEqual([]);
  });

  it("uses no ambient input, except where a reason is listed", () => {
    expect(reachesPastItsWorld(sourcesBelow("packages"), REASONS)).toEqual([]);
  });

  it("has no listed reason without a use", () => {
    const found = reachesPastItsWorld(sourcesBelow("packages"));
    expect(Object.keys(REASONS).filter((path) => !found.some((line) => line.startsWith(path)))).toEqual([]);
  });
});

describe("code that is assembled of parts", () => {
  const USES = "packages/gateway/src/assembly/use-cases.ts";
  const opening = (path: string, text: string) => opensByItself([{ path, text }]);

  it.each([
    ["node:fs/promises", 'import { readFile } from "node:fs/promises";'],
    ["node:http", 'import { createServer } from "node:http";'],
    ["workerpool", 'import workerpool from "workerpool";'],
    ["jose", 'import { jwtVerify } from "jose";'],
    ["openDatabase", 'import { type Bus, openDatabase } from "@conclave/platform";'],
    ["loadRoster", 'import {\n  loadRoster,\n} from "@conclave/platform";'],
    ["issueToken", 'import { issueToken } from "@conclave/platform";'],
    ["the process", "const url = process.env.DATABASE_URL;"],
  ])("is found when it reaches outside by %s", (name, text) => {
    expect(opening(USES, text)).toEqual([`${USES} reaches outside by ${name}; a part does that`]);
  });

  it.each([
    ["keys and hashes", USES, 'import { createHash } from "node:crypto";'],
    ["a part that is handed in", USES, "const database = parts.openDatabase(listeners);"],
    ["types of the platform", USES, 'import type { Database } from "@conclave/platform";'],
    ["a file, in a test", "packages/gateway/src/assembly/a.test.ts", 'import "node:fs";'],
    ["a file, in a process", "packages/signer/src/records.ts", 'import { mkdir } from "node:fs/promises";'],
  ])("may have %s", (_, path, text) => {
    expect(opening(path, text)).toEqual([]);
  });

  it("reaches outside by its parts alone, except where a reason is listed", () => {
    expect(opensByItself(sourcesBelow("packages"), OPENING)).toEqual([]);
  });

  it("has no listed file that reaches nowhere", () => {
    const found = opensByItself(sourcesBelow("packages"));
    expect(Object.keys(OPENING).filter((path) => !found.some((line) => line.startsWith(path)))).toEqual([]);
  });
});
