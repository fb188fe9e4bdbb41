import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { Outage } from "../../outage.ts";
import { freshDatabase, type SilentProxy, startSilentProxy } from "../../testing/index.ts";
import { type Database, openDatabase } from "../database.ts";
import { makeSockets } from "./sockets.ts";

/** Far more than a server on this machine needs. */
const BOUNDS = { connectMs: 500, answerMs: 500, askMs: 50, closeMs: 200 };
const count = z.object({ count: z.coerce.number() });

let url: string;
let beside: Database;
let proxy: SilentProxy;
let database: Database;

beforeAll(async () => {
  url = await freshDatabase("empty");
  beside = openDatabase({ url, name: "beside" });
  await beside.execute("create table boxes (id integer primary key)");
});
afterAll(() => beside.close());
beforeEach(async () => {
  await beside.execute("delete from boxes");
  proxy = await startSilentProxy(url);
  database = openDatabase({ url: proxy.url, name: "far", bounds: BOUNDS });
});
afterEach(async () => {
  await database.close();
  await proxy.stop();
});

const boxes = async (): Promise<number | undefined> =>
  (await beside.rows(count, "select count(*) from boxes"))[0]?.count;
const isOutage = (code: string) => (error: unknown) => error instanceof Outage && error.problem.code === code;

describe("a database whose host vanished without a word", () => {
  it("is an outage for a statement, and its connection is not used again", async () => {
    await database.execute("select 1");
    proxy.silence();
    await expect(database.execute("insert into boxes values (1)")).rejects.toThrow(Outage);
    await expect.poll(proxy.clients).toBe(0);
    proxy.restore();
    expect(await database.execute("insert into boxes values (2)")).toBe(1);
  });

  it("is an outage for a transaction, which waits for one answer and not for that to its rollback too", async () => {
    const asked = vi.fn();
    const failing = database.transaction(async (connection) => {
      await connection.execute("insert into boxes values (1)");
      proxy.silence();
      asked();
      await connection.execute("insert into boxes values (2)");
    });
    await expect(failing).rejects.toSatisfy(isOutage("ServiceUnavailable"));
    expect(asked).toHaveBeenCalledOnce();
    await expect.poll(proxy.clients).toBe(0);
    expect(await boxes()).toBe(0);
  });

  it("is an outage for a new connection", async () => {
    proxy.silence();
    await expect(database.execute("select 1")).rejects.toThrow(Outage);
    await expect(database.session((session) => session.execute("select 1"))).rejects.toThrow(Outage);
  });

  it("INV-5 leaves a commit without an answer: no caller hears that nothing was done", async () => {
    proxy.silenceAfter("commit");
    const work = database.transaction((connection) => connection.execute("insert into boxes values (1)"));
    await expect(work).rejects.toSatisfy(isOutage("OutcomeUnknown"));
    expect(await boxes()).toBe(1);
  });

  it("does not keep a listener from hearing once it is back", async () => {
    const heard = vi.fn();
    const subscription = database.listen("boxes", heard);
    await expect.poll(() => heard.mock.calls.length).toBe(1);
    proxy.silence();
    await expect.poll(proxy.clients).toBe(0);
    proxy.restore();
    await expect.poll(() => heard.mock.calls.length).toBe(2);
    await beside.execute("notify boxes");
    await expect.poll(() => heard.mock.calls.length).toBe(3);
    await subscription.stop();
  });

  it("tells the holder of a lock that it no longer holds it", async () => {
    const held = database.exclusively("boxes", async (lost) => {
      proxy.silence();
      await expect.poll(() => lost.aborted).toBe(true);
      return "done";
    });
    await expect(held).rejects.toThrow(Outage);
  });

  it("does not hold up a process that ends: its sockets are destroyed after a moment", async () => {
    const sockets = makeSockets(BOUNDS.askMs);
    const socket = sockets.make().connect(Number(new URL(proxy.url).port), "127.0.0.1");
    await once(socket, "connect");
    proxy.silence();
    socket.end();
    await sockets.close(BOUNDS.closeMs);
    expect(socket.destroyed).toBe(true);
  });
});

describe("a transaction in which a statement failed", () => {
  it("is not taken for committed when its caller goes on", async () => {
    const work = beside.transaction(async (connection) => {
      await connection.execute("insert into boxes values (1)");
      await connection.execute("insert into boxes values (1)").catch(() => undefined);
    });
    await expect(work).rejects.toThrow("failed, and its caller went on");
    expect(await boxes()).toBe(0);
  });
});
