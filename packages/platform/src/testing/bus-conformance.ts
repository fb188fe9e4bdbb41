import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Bus } from "../nats/index.ts";
import { Outage } from "../outage.ts";

/** A message server under test. */
export interface TriedBroker {
  connect(): Promise<Bus>;
  /** number of messages in its stream */
  stored(): Promise<number>;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** lets time pass until the condition holds, which is checked repeatedly */
  until(condition: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

const DUE = "conclave.due.test";
const OTHER = "conclave.due.other";
const message = (messageId: string) => ({ messageId, subject: "key.created", payload: { messageId } });

/**
 * The behaviour of every Bus, over NATS or in memory. No test waits for a silence: that a message did not come is shown
 * by a later one.
 */
export const describeBus = (name: string, open: () => Promise<TriedBroker>): void => {
  let broker: TriedBroker;
  const buses: Bus[] = [];
  const connected = async (): Promise<Bus> => {
    const bus = await broker.connect();
    buses.push(bus);
    return bus;
  };
  /**
   * Counts received signals; `hears` signals again until one is received, because a subscription may take effect only
   * after a signal of another connection.
   */
  const counted = (hearOn: (heard: () => void) => void) => {
    let times = 0;
    hearOn(() => {
      times += 1;
    });
    return {
      times: () => times,
      hears: (signal: () => void) => {
        const before = times;
        return broker.until(() => {
          signal();
          return times > before;
        });
      },
    };
  };
  beforeEach(async () => {
    broker = await open();
  });
  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
    await broker.stop();
  });

  describe(`${name} as a bus`, () => {
    it("stores a message once for its id, from any publisher and however often", async () => {
      const [one, other] = [await connected(), await connected()];
      for (const bus of [one, one, other]) await bus.publish(message("m-1"));
      await other.publish(message("m-2"));
      expect(await broker.stored()).toBe(2);
    });

    it("carries a signal to all that have subscribed to its subject, over any connection, and to no others", async () => {
      const [one, other] = [await connected(), await connected()];
      const deaf = counted((heard) => one.hear(OTHER, heard));
      const [here, there] = [one, other].map((bus) => counted((heard) => bus.hear(DUE, heard)));
      await here?.hears(() => one.signal(DUE));
      await there?.hears(() => one.signal(DUE));
      expect(deaf.times()).toBe(0);
    });

    it("calls nobody back who has stopped to hear", async () => {
      const bus = await connected();
      let times = 0;
      const hearing = bus.hear(DUE, () => {
        times += 1;
      });
      const later = counted((heard) => bus.hear(DUE, heard));
      await later.hears(() => bus.signal(DUE));
      const before = times;
      hearing.stop();
      await later.hears(() => bus.signal(DUE));
      expect(times).toBe(before);
    });

    it("says when its server is away: what is published then is an outage, and what is signalled is lost", async () => {
      const bus = await connected();
      expect(bus.connected()).toBe(true);
      await broker.kill();
      await broker.until(() => !bus.connected());
      await expect(bus.publish(message("m-3"))).rejects.toBeInstanceOf(Outage);
      bus.signal(DUE);
    });

    it("comes back with its server, which kept what it stored; who listens is called for what was missed", async () => {
      const bus = await connected();
      const listening = counted((heard) => bus.listen(DUE, heard));
      const hearing = counted((heard) => bus.hear(DUE, heard));
      await listening.hears(() => bus.signal(DUE));
      await bus.publish(message("m-4"));
      await broker.kill();
      await broker.until(() => !bus.connected());
      await broker.start();
      await listening.hears(() => undefined);
      await broker.until(() => bus.connected());
      await hearing.hears(() => bus.signal(DUE));
      await bus.publish(message("m-4"));
      expect(await broker.stored()).toBe(1);
    });

    it("is not connected any more once it is closed, and publishes nothing", async () => {
      const bus = await connected();
      await bus.close();
      expect(bus.connected()).toBe(false);
      await expect(bus.publish(message("m-5"))).rejects.toBeInstanceOf(Outage);
    });
  });
};
