import { transferIdSchema } from "@conclave/custody";
import { JetStreamApiError, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freshId } from "../fresh-id.ts";
import {
  appendToOutbox,
  chainRequest,
  type Database,
  migrate,
  type OutgoingMessage,
  openDatabase,
  startRelay,
} from "../postgres/index.ts";
import {
  type NatsServer,
  type PostgresServer,
  startNatsServer,
  startPostgresServer,
} from "../testing/index.ts";
import { type Bus, connectBus, doneSubject } from "./bus.ts";
import { ensureStreams } from "./streams.ts";

let server: NatsServer;
let bus: Bus;
beforeAll(async () => {
  server = await startNatsServer();
  bus = await connectBus({ url: server.url, token: server.token, name: "test" });
});
afterAll(async () => {
  await bus.close();
  await server.stop();
});

const report = () => undefined;
const eventually = { timeout: 20_000, interval: 20 };

describe("the bus", () => {
  it("gives streams of an earlier version the subjects of this one, and keeps what they hold", async () => {
    const old = await startNatsServer();
    const connection = await connect({ servers: old.url, token: old.token });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: "EVENTS", subjects: ["wallet.>"] });
    await jetstream(connection).publish("wallet.created", "{}");
    const upgraded = await connectBus({ url: old.url, token: old.token, name: "test" });
    await upgraded.publish({ messageId: "e-1", subject: "key.created", payload: {} });
    const { state } = await manager.streams.info("EVENTS");
    expect(state.messages).toBe(2);
    await Promise.all([upgraded.close(), connection.close()]);
    await old.stop();
  });

  it("makes its streams although another process is just making the same, which the server takes for an overlap", async () => {
    const fresh = await startNatsServer();
    const connection = await connect({ servers: fresh.url, token: fresh.token });
    const { streams } = await jetstreamManager(connection);
    const overlap = { code: 400, err_code: 10_065, description: "subjects overlap with an existing stream" };
    const busy = new Set(["REQUESTS", "EVENTS"]);
    const store = await ensureStreams({
      add: async (stream) => {
        const added = await streams.add(stream);
        if (busy.delete(stream.name)) throw new JetStreamApiError(overlap);
        return added;
      },
      update: (name, settings) => streams.update(name, settings),
    });
    expect(store).toBe((await streams.info("REQUESTS")).created);
    await connection.close();
    await fresh.stop();
  });

  it("does not start beside a stream that really has its subjects", async () => {
    const taken = await startNatsServer();
    const connection = await connect({ servers: taken.url, token: taken.token });
    await (await jetstreamManager(connection)).streams.add({ name: "OTHER", subjects: ["wallet.>"] });
    await expect(connectBus({ url: taken.url, token: taken.token, name: "test" })).rejects.toThrow(/overlap/);
    await connection.close();
    await taken.stop();
  });

  it("refuses a connection with another token", async () => {
    await expect(connectBus({ url: server.url, token: "other", name: "test" })).rejects.toThrow(
      /authorization/i,
    );
  });

  it("delivers a stored message once for a message id, however often it is published", async () => {
    const seen: unknown[] = [];
    const message = { messageId: "m-1", subject: "conclave.request.key", payload: { keyId: "key-1" } };
    for (let time = 0; time < 3; time += 1) await bus.publish(message);
    await bus.publish({ ...message, messageId: "m-2", payload: { keyId: "key-2" } });
    const work = await bus.work({
      stream: "REQUESTS",
      durable: "keys",
      subject: "conclave.request.key",
      concurrency: 1,
      handle: async ({ data }) => {
        seen.push(data);
        return { kind: "Done" };
      },
      onFailure: report,
    });
    await vi.waitFor(() => expect(seen).toHaveLength(2), eventually);
    await work.stop();
    expect(seen).toEqual([{ keyId: "key-1" }, { keyId: "key-2" }]);
  });

  it("delivers a message again when its handler asks for it, and when its handler throws", async () => {
    const attempts: number[] = [];
    const failures: unknown[] = [];
    await bus.publish({ messageId: "m-3", subject: "conclave.request.transfer", payload: {} });
    const work = await bus.work({
      stream: "REQUESTS",
      durable: "transfers",
      subject: "conclave.request.transfer",
      concurrency: 4,
      handle: async ({ attempt }) => {
        attempts.push(attempt);
        if (attempt === 1) return { kind: "Again", afterMs: 10 };
        if (attempt === 2) throw new Error("not this time");
        return { kind: "Done" };
      },
      onFailure: (error) => failures.push(error),
    });
    await vi.waitFor(() => expect(attempts).toEqual([1, 2, 3]), eventually);
    await work.stop();
    expect(failures).toHaveLength(1);
  });

  it("goes on with a server that has lost its store", async () => {
    const seen: unknown[] = [];
    const work = await bus.work({
      stream: "REQUESTS",
      durable: "transfers",
      subject: "conclave.request.transfer",
      concurrency: 2,
      handle: async ({ data }) => {
        seen.push(data);
        return { kind: "Done" };
      },
      onFailure: report,
    });
    await server.kill();
    await server.forget();
    await server.start();
    const message = { messageId: "m-4", subject: "conclave.request.transfer", payload: { n: 4 } };
    await vi.waitFor(() => bus.publish(message), eventually);
    await vi.waitFor(() => expect(seen).toEqual([{ n: 4 }]), eventually);
    await work.stop();
  });

  it("names its store at the start, and again only when the server has lost it", async () => {
    const stores: string[] = [];
    const statuses: string[] = [];
    const watching = await connectBus({
      url: server.url,
      token: server.token,
      name: "watching",
      onStatus: (status) => statuses.push(status),
      onStore: (store) => stores.push(store),
    });
    expect(stores).toHaveLength(1);
    await server.kill();
    await server.start();
    await vi.waitFor(() => expect(statuses).toContain("reconnect"), eventually);
    expect(stores).toHaveLength(1);
    await server.kill();
    await server.forget();
    await server.start();
    await vi.waitFor(() => expect(stores).toHaveLength(2), eventually);
    expect(stores[0]).not.toBe(stores[1]);
    await watching.close();
  });

  it("carries a signal to whoever has subscribed before", async () => {
    const heard: string[] = [];
    // tests before this one have killed the server
    await vi.waitFor(() => expect(bus.connected()).toBe(true), eventually);
    const hearing = await bus.hear(doneSubject("wa-9"), (subject) => heard.push(subject));
    bus.signal(doneSubject("wa-8"));
    bus.signal(doneSubject("wa-9"));
    await vi.waitFor(() => expect(heard).toEqual(["conclave.done.wa-9"]), eventually);
    hearing.stop();
  });
});

describe("two relays on one outbox", () => {
  let postgres: PostgresServer;
  let database: Database;
  beforeAll(async () => {
    postgres = await startPostgresServer();
    database = openDatabase({ url: (await postgres.createDatabase()).url, name: "test" });
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await postgres.stop();
  });

  const append = async (many: number): Promise<readonly string[]> => {
    const messages = Array.from({ length: many }, () =>
      chainRequest({ kind: "Transfer", id: freshId(transferIdSchema, "xfr") }),
    );
    await Promise.all(messages.map((message) => appendToOutbox(database, message)));
    return messages.map(({ messageId }) => messageId);
  };

  it("publish every message exactly once", async () => {
    const published: string[] = [];
    const publish = async (message: OutgoingMessage) => {
      published.push(message.messageId);
      await bus.publish(message);
    };
    const relays = [1, 2].map(() => startRelay({ database, publish, onFailure: report }));
    const appended = await append(100);
    await vi.waitFor(() => expect(published.length).toBeGreaterThanOrEqual(100), eventually);
    await Promise.all(relays.map((relay) => relay.stop()));
    expect([...published].sort()).toEqual([...appended].sort());
  });

  it("publish what was appended while the bus was away", async () => {
    const acknowledged: string[] = [];
    const publish = async (message: OutgoingMessage) => {
      await bus.publish(message);
      acknowledged.push(message.messageId);
    };
    const relays = [1, 2].map(() => startRelay({ database, publish, onFailure: report }));
    await server.kill();
    const appended = await append(10);
    await server.start();
    await vi.waitFor(() => expect(acknowledged).toHaveLength(10), eventually);
    await Promise.all(relays.map((relay) => relay.stop()));
    expect([...acknowledged].sort()).toEqual([...appended].sort());
  });
});
