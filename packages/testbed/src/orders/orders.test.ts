import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { carryOutOrder } from "./carry-out.ts";
import { giveOrder } from "./give-order.ts";
import { ORDER_BYTES_MAX, type Order } from "./order.ts";
import { type CarryOut, type OrderService, serveOrders } from "./serve-orders.ts";

const RESTART: Order = { kind: "restart", process: "signer-2" };

let run: string;
let service: OrderService | undefined;
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), "conclave-orders-"));
});
afterEach(async () => {
  await service?.close();
  service = undefined;
  rmSync(run, { recursive: true });
});

const socket = () => join(run, "orders.sock");
const serve = async (by: CarryOut) => {
  service = await serveOrders(run, by);
};

/** A promise that a test can resolve. */
const moment = () => {
  let come: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { promise, resolve: () => come() };
};

const silent = (): void => undefined;

/** The server's answer to a body. */
const answerTo = (body: string, path = "/orders", method = "POST"): Promise<readonly [number, string]> =>
  new Promise((resolve, reject) => {
    const sent = request({ socketPath: socket(), path, method }, (answer) => {
      let text = "";
      answer.on("data", (piece) => {
        text += String(piece);
      });
      answer.on("end", () => resolve([answer.statusCode ?? 0, text]));
    });
    sent.on("error", reject);
    sent.end(body);
  });

describe("an order", () => {
  it("is carried out, and its progress is shown where it was given", async () => {
    const taken: Order[] = [];
    await serve(async (order, say) => {
      taken.push(order);
      say("signer-2 is stopped");
      say("signer-2 runs");
    });
    const said: string[] = [];
    await giveOrder(run, RESTART, (line) => said.push(line));
    await giveOrder(run, { kind: "apply-roster" }, silent);
    expect(taken).toEqual([RESTART, { kind: "apply-roster" }]);
    expect(said).toEqual(["signer-2 is stopped", "signer-2 runs"]);
  });

  it("that fails says why, and what to do", async () => {
    await serve(() => Promise.reject(new LaunchError("there is no process", "There are others.")));
    const given = giveOrder(run, RESTART, silent);
    await expect(given).rejects.toMatchObject({
      message: "there is no process",
      remedy: "There are others.",
    });
    await expect(given).rejects.toBeInstanceOf(LaunchError);
  });

  it("that comes while another is carried out is refused, and taken after it", async () => {
    const [first, second] = [moment(), moment()];
    const ends = [first.promise, second.promise];
    const begun = moment();
    await serve(async () => {
      begun.resolve();
      await ends.shift();
    });
    const given = giveOrder(run, RESTART, silent);
    await begun.promise;
    await expect(giveOrder(run, RESTART, silent)).rejects.toThrow("another order");
    first.resolve();
    await given;
    second.resolve();
    await giveOrder(run, RESTART, silent);
    expect(ends).toEqual([]);
  });

  it("goes on when its terminal ends", async () => {
    const [begun, ended] = [moment(), moment()];
    const done = moment();
    await serve(async (_, say) => {
      begun.resolve();
      await ended.promise;
      say("nobody hears this");
      done.resolve();
    });
    const sent = request({ socketPath: socket(), path: "/orders", method: "POST" });
    const broken = new Promise((resolve) => {
      sent.once("error", resolve);
    });
    sent.end(JSON.stringify(RESTART));
    await begun.promise;
    sent.destroy();
    await broken;
    ended.resolve();
    await done.promise;
  });

  it("of a cluster that ends meanwhile is reported before the socket closes", async () => {
    const [begun, ended] = [moment(), moment()];
    await serve(async () => {
      begun.resolve();
      await ended.promise;
      throw new LaunchError("the cluster is being stopped", "Start it again.");
    });
    const given = giveOrder(run, RESTART, silent);
    await begun.promise;
    const closed = service?.close();
    service = undefined;
    await expect(giveOrder(run, RESTART, silent)).rejects.toThrow("no cluster takes orders");
    await new Promise((resolve) => setImmediate(resolve)); // connections would be closed by now
    ended.resolve();
    await expect(given).rejects.toThrow("is being stopped");
    await closed;
    expect(existsSync(socket())).toBe(false);
  });

  it("is not believed to be done when the process that carried it out has died", async () => {
    const server = createServer((connection) => {
      connection.once("data", () => {
        connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        connection.write('22\r\n{"kind":"progress","text":"stop"}\n\r\n', () => connection.destroy());
      });
    });
    server.listen(socket());
    await expect(giveOrder(run, RESTART, silent)).rejects.toThrow("ended while it carried the order out");
    server.close();
  });
});

describe("INV-9 nothing is carried out", () => {
  const long = JSON.stringify(RESTART).padEnd(ORDER_BYTES_MAX + 1);
  it.each<[string, string]>([
    ["no JSON", "restart signer-2"],
    ["nothing", ""],
    ["an unknown order", JSON.stringify({ kind: "reset" })],
    ["one field more", JSON.stringify({ ...RESTART, force: true })],
    ["no process", JSON.stringify({ kind: "stop" })],
    ["a path", JSON.stringify({ kind: "start", process: "../signer-2" })],
    ["more than any order", long],
    ["far more than any order", " ".repeat(1_000_000)],
  ])("of %s", async (_, body) => {
    let taken = 0;
    await serve(async () => {
      taken += 1;
    });
    await answerTo(body).then(
      ([status, text]) => {
        expect(status).toBe(400);
        expect(JSON.parse(text)).toMatchObject({ kind: "failed", message: "that is no order" });
      },
      // the server need not read the whole request
      (error: unknown) => expect(String(error)).toMatch(/EPIPE|ECONNRESET|hang up/),
    );
    expect(taken).toBe(0);
  });

  it.each([
    ["GET", "/orders"],
    ["POST", "/"],
    ["PUT", "/orders"],
  ])("by %s %s", async (method, path) => {
    await serve(() => Promise.reject(new Error("it was taken")));
    expect((await answerTo(JSON.stringify(RESTART), path, method))[0]).toBe(400);
  });
});

describe("the socket", () => {
  it("is its owner's alone, in a folder of its owner's", async () => {
    chmodSync(run, 0o755);
    await serve(async () => undefined);
    expect(statSync(socket()).mode & 0o777).toBe(0o600);
    expect(statSync(run).mode & 0o777).toBe(0o700);
  });

  it("of a run that crashed is replaced", async () => {
    await serve(async () => undefined);
    const before = service;
    const held = connect(socket());
    await new Promise((resolve) => held.once("connect", resolve));
    await serve(async () => undefined);
    await giveOrder(run, RESTART, silent);
    held.destroy();
    await service?.close();
    service = before;
  });

  it.each<[string, () => void]>([
    ["a file", () => writeFileSync(socket(), "precious")],
    ["a folder", () => mkdirSync(socket())],
    ["a link", () => symlinkSync("/tmp/elsewhere", socket())],
  ])("takes the place of no %s", async (_, make) => {
    make();
    await expect(serve(async () => undefined)).rejects.toThrow("is no socket");
  });

  it("with too long a path is refused, with the way out, by both sides", async () => {
    const far = join(run, "x".repeat(120));
    mkdirSync(far);
    for (const refused of [serveOrders(far, async () => undefined), giveOrder(far, RESTART, silent)]) {
      await expect(refused).rejects.toMatchObject({ remedy: expect.stringContaining("shorter path") });
    }
  });
});

describe("an order to a process", () => {
  const done: string[] = [];
  const cluster = {
    status: () => [
      { name: "signer-1", state: "running" as const, pid: 1 },
      { name: "signer-2", state: "exited" as const, pid: 2 },
    ],
    restart: async (name: string) => void done.push(`start ${name}`),
    stopProcess: async (name: string) => void done.push(`stop ${name}`),
    applyRoster: async () => void done.push("apply"),
  };
  beforeEach(() => {
    done.length = 0;
  });

  it.each<[Order, readonly string[]]>([
    [{ kind: "restart", process: "signer-1" }, ["stop signer-1", "start signer-1"]],
    [{ kind: "restart", process: "signer-2" }, ["start signer-2"]],
    [{ kind: "start", process: "signer-1" }, []],
    [{ kind: "start", process: "signer-2" }, ["start signer-2"]],
    [{ kind: "stop", process: "signer-1" }, ["stop signer-1"]],
    [{ kind: "stop", process: "signer-2" }, []],
    [{ kind: "apply-roster" }, ["apply"]],
  ])("%o does %o", async (order, expected) => {
    await carryOutOrder(cluster, order, silent);
    expect(done).toEqual(expected);
  });

  it("that there is not is refused, with those that there are", async () => {
    const refused = carryOutOrder(cluster, { kind: "stop", process: "signer-3" }, silent);
    await expect(refused).rejects.toMatchObject({ remedy: "There are signer-1, signer-2." });
  });
});
