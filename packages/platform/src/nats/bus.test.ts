import { EVENT_KINDS, eventIdSchema } from "@conclave/custody";
import { JetStreamApiError, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../config/environment.ts";
import { freshId } from "../fresh-id.ts";
import { type Database, migrate, type OutgoingMessage, openDatabase, startRelay } from "../postgres/index.ts";
import { appendToOutbox } from "../testing/append-to-outbox.ts";
import {
  type NatsServer,
  type PostgresServer,
  startNatsServer,
  startPostgresServer,
} from "../testing/index.ts";
import { processWorld } from "../world.ts";
import { type Bus, connectBus, doneSubject } from "./bus.ts";
import { EVENTS_DEFAULTS, ensureEvents } from "./streams.ts";

let server: NatsServer;
let bus: Bus;
beforeAll(async () => {
  server = await startNatsServer();
  bus = await connectBus({ url: server.url, token: server.token, name: "test", events: EVENTS_DEFAULTS });
});
afterAll(async () => {
  await bus.close();
  await server.stop();
});

const report = () => undefined;
const eventually = { timeout: 20_000, interval: 20 };

describe("the bus", () => {
  it("INV-9 refuses a wrong token in a sentence that says what to check, and does not show it", async () => {
    const refused: unknown = await connectBus({ url: server.url, token: "wrong", name: "test" }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(ConfigurationError);
    expect(String(refused)).toMatch(/refuses the token: check .*CONCLAVE_NATS_TOKEN/);
    expect(String(refused)).not.toContain("wrong");
  });

  it("gives the stream of an earlier version the settings of this one, keeps what it holds, and removes the one of requests", async () => {
    const old = await startNatsServer();
    const connection = await connect({ servers: old.url, token: old.token });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: "EVENTS", subjects: ["wallet.>"] });
    await manager.streams.add({ name: "REQUESTS", subjects: ["conclave.request.>"] });
    const events = { maxBytes: 4_096, replicas: 1 };
    await jetstream(connection).publish("wallet.created", "{}");
    const upgraded = await connectBus({ url: old.url, token: old.token, name: "test", events });
    await upgraded.publish({ messageId: "e-1", subject: "key.created", payload: {} });
    const { state, config } = await manager.streams.info("EVENTS");
    expect([state.messages, config.max_bytes]).toEqual([2, 4_096]);
    await expect(manager.streams.info("REQUESTS")).rejects.toThrow(/not found/);
    await Promise.all([upgraded.close(), connection.close()]);
    await old.stop();
  });

  it("stores events of every kind", async () => {
    const own = await startNatsServer();
    const publisher = await connectBus({
      url: own.url,
      token: own.token,
      name: "test",
      events: EVENTS_DEFAULTS,
    });
    for (const kind of EVENT_KINDS) await publisher.publish({ messageId: kind, subject: kind, payload: {} });
    const connection = await connect({ servers: own.url, token: own.token });
    const { state } = await (await jetstreamManager(connection)).streams.info("EVENTS");
    expect(state.messages).toBe(EVENT_KINDS.length);
    await Promise.all([publisher.close(), connection.close()]);
    await own.stop();
  });

  it("makes its streams although another process is just making the same, which the server takes for an overlap", async () => {
    const fresh = await startNatsServer();
    const connection = await connect({ servers: fresh.url, token: fresh.token });
    const { streams } = await jetstreamManager(connection);
    const overlap = { code: 400, err_code: 10_065, description: "subjects overlap with an existing stream" };
    let isBusy = true;
    const adding = {
      add: async (stream: Parameters<typeof streams.add>[0]) => {
        const added = await streams.add(stream);
        if (isBusy) {
          isBusy = false;
          throw new JetStreamApiError(overlap);
        }
        return added;
      },
      update: streams.update.bind(streams),
      delete: streams.delete.bind(streams),
    };
    await ensureEvents(adding, EVENTS_DEFAULTS);
    expect((await streams.info("EVENTS")).config.name).toBe("EVENTS");
    await connection.close();
    await fresh.stop();
  });

  it("does not start beside a stream that really has its subjects", async () => {
    const taken = await startNatsServer();
    const connection = await connect({ servers: taken.url, token: taken.token });
    await (await jetstreamManager(connection)).streams.add({ name: "OTHER", subjects: ["wallet.>"] });
    await expect(
      connectBus({ url: taken.url, token: taken.token, name: "test", events: EVENTS_DEFAULTS }),
    ).rejects.toThrow(/overlap/);
    await connection.close();
    await taken.stop();
  });

  it("refuses a connection with another token", async () => {
    await expect(connectBus({ url: server.url, token: "other", name: "test" })).rejects.toThrow(
      /refuses the token: check CONCLAVE_NATS_URL/,
    );
  });

  it("stores a message once for a message id, however often it is published", async () => {
    const connection = await connect({ servers: server.url, token: server.token });
    const { streams } = await jetstreamManager(connection);
    const count = async () => (await streams.info("EVENTS")).state.messages;
    const before = await count();
    const message = { messageId: "m-1", subject: "key.created", payload: { keyId: "key-1" } };
    for (let time = 0; time < 3; time += 1) await bus.publish(message);
    await bus.publish({ ...message, messageId: "m-2", payload: { keyId: "key-2" } });
    expect(await count()).toBe(before + 2);
    await connection.close();
  });

  it("takes new events when its store is full: the oldest make way", async () => {
    const small = await startNatsServer();
    const full = await connectBus({
      url: small.url,
      token: small.token,
      name: "test",
      events: { maxBytes: 8_192, replicas: 1 },
    });
    for (let count = 0; count < 20; count += 1) {
      await full.publish({
        messageId: `f-${count}`,
        subject: "key.created",
        payload: { text: "x".repeat(1_000) },
      });
    }
    const connection = await connect({ servers: small.url, token: small.token });
    const { state } = await (await jetstreamManager(connection)).streams.info("EVENTS");
    expect([state.bytes <= 8_192, state.last_seq]).toEqual([true, 20]);
    await Promise.all([full.close(), connection.close()]);
    await small.stop();
  });

  it("goes on with a server that has lost its store", async () => {
    await server.kill();
    await server.forget();
    await server.start();
    const message = { messageId: "m-4", subject: "key.created", payload: { n: 4 } };
    await vi.waitFor(() => bus.publish(message), eventually);
  });

  it("goes on when somebody deletes its stream", async () => {
    const connection = await connect({ servers: server.url, token: server.token });
    await (await jetstreamManager(connection)).streams.delete("EVENTS");
    const message = { messageId: "m-5", subject: "key.created", payload: { n: 5 } };
    await vi.waitFor(() => bus.publish(message), eventually);
    await connection.close();
  });

  it("calls a listener back at a signal, and after a reconnection, because it may have missed some", async () => {
    await vi.waitFor(() => expect(bus.connected()).toBe(true), eventually);
    let rings = 0;
    const listening = bus.listen("conclave.due.test", () => {
      rings += 1;
    });
    await vi.waitFor(() => {
      bus.signal("conclave.due.test");
      expect(rings).toBeGreaterThan(0);
    }, eventually);
    const before = rings;
    await server.kill();
    await server.start();
    await vi.waitFor(() => expect(rings).toBeGreaterThan(before), eventually);
    listening.stop();
  });

  it("carries a signal to earlier subscribers", async () => {
    const heard: string[] = [];
    // earlier tests have killed the server
    await vi.waitFor(() => expect(bus.connected()).toBe(true), eventually);
    const hearing = bus.hear(doneSubject("wa-9"), () => heard.push("wa-9"));
    bus.signal(doneSubject("wa-8"));
    bus.signal(doneSubject("wa-9"));
    await vi.waitFor(() => expect(heard).toEqual(["wa-9"]), eventually);
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
    const messages = Array.from({ length: many }, () => {
      const id = freshId(eventIdSchema, "evt");
      return { messageId: id, subject: "wallet.created", payload: { id } };
    });
    await Promise.all(messages.map((message) => appendToOutbox(database, message)));
    return messages.map(({ messageId }) => messageId);
  };

  it("publish every message exactly once", async () => {
    const published: string[] = [];
    const publish = async (message: OutgoingMessage) => {
      published.push(message.messageId);
      await bus.publish(message);
    };
    const relays = [1, 2].map(() =>
      startRelay({ world: processWorld, database, publish, onFailure: report }),
    );
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
    const relays = [1, 2].map(() =>
      startRelay({ world: processWorld, database, publish, onFailure: report }),
    );
    await server.kill();
    const appended = await append(10);
    await server.start();
    await vi.waitFor(() => expect(acknowledged).toHaveLength(10), eventually);
    await Promise.all(relays.map((relay) => relay.stop()));
    expect([...acknowledged].sort()).toEqual([...appended].sort());
  });
});
