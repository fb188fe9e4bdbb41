import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OneWayLink } from "./link.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** Far longer than a test lasts. */
const LONG_MS = 3_600_000;

let server: Server;
let target: number;
/** the bytes that the server received, one text for each connection */
let received: string[];
let accepted: Socket[];
const proxies: TcpProxy[] = [];
const clients: Socket[] = [];

/** An echo server. */
beforeEach(async () => {
  received = [];
  accepted = [];
  server = createServer({ allowHalfOpen: true }, (socket) => {
    const at = received.push("") - 1;
    accepted.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      received[at] += String(bytes);
      socket.write(bytes);
    });
    socket.once("end", () => socket.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  target = address.port;
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  for (const socket of accepted) socket.destroy();
  server.close();
});

/** A client that collects what it receives. */
class Ear {
  heard = "";
  isOver = false;
  readonly socket: Socket;

  constructor(port: number) {
    this.socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    clients.push(this.socket);
    this.socket.on("error", () => undefined);
    this.socket.on("data", (bytes) => {
      this.heard += String(bytes);
    });
    for (const end of ["end", "close"])
      this.socket.once(end, () => {
        this.isOver = true;
      });
  }

  say(text: string): void {
    this.socket.write(text);
  }

  async hears(text: string): Promise<void> {
    await expect.poll(() => this.heard).toBe(text);
  }

  async ends(): Promise<void> {
    await expect.poll(() => this.isOver).toBe(true);
  }
}

interface Ways {
  readonly there: OneWayLink;
  readonly back: OneWayLink;
  readonly port: number;
  client(): Ear;
}

const between = async (): Promise<Ways> => {
  const [there, back] = [new OneWayLink(), new OneWayLink()];
  const proxy = await TcpProxy.listen({ target, there, back });
  proxies.push(proxy);
  return { there, back, port: proxy.port, client: () => new Ear(proxy.port) };
};

/** A client that has received the echo of its first "a". */
const answered = async (): Promise<Ways & { readonly one: Ear }> => {
  const ways = await between();
  const one = ways.client();
  one.say("a");
  await one.hears("a");
  return { ...ways, one };
};

const isReceived = async (text: string): Promise<void> => {
  await expect.poll(() => received).toContain(text);
};

describe("a link without faults", () => {
  it("passes everything on, however much, and ends when both have ended", async () => {
    const { client } = await between();
    const one = client();
    const long = "x".repeat(3_000_000);
    one.say(long);
    one.socket.end("y");
    await one.ends();
    expect(one.heard).toBe(`${long}y`);
  });

  it("breaks when one end breaks, and when there is no server", async () => {
    const { there, back, one } = await answered();
    accepted[0]?.resetAndDestroy();
    await one.ends();
    server.close();
    await once(server, "close");
    const proxy = await TcpProxy.listen({ target, there, back });
    proxies.push(proxy);
    await new Ear(proxy.port).ends();
  });
});

describe("a link that is cut", () => {
  it("swallows what comes, and closes nothing, while another carries on", async () => {
    const [cut, whole] = [await between(), await between()];
    const [one, other] = [cut.client(), whole.client()];
    one.say("a");
    await one.hears("a");
    cut.there.cut();
    one.say("b");
    other.say("c");
    await other.hears("c");
    expect([received[0], one.heard, one.isOver]).toEqual(["a", "a", false]);
  });

  it("one way leaves the other way as it was", async () => {
    const { back, one } = await answered();
    back.cut();
    one.say("b");
    await isReceived("ab");
    one.say("c");
    await isReceived("abc");
    expect([one.heard, one.isOver]).toEqual(["a", false]);
  });

  it.each(["there", "back"] as const)(
    "lets no new connection through, when it is the way %s",
    async (which) => {
      const [cut, whole] = [await between(), await between()];
      cut[which].cut();
      const [one, other] = [cut.client(), whole.client()];
      await once(one.socket, "connect");
      one.say("a");
      other.say("b");
      await other.hears("b");
      expect([received, one.heard, one.isOver]).toEqual([["b"], "", false]);
    },
  );

  it("and healed resets connections that have lost something, and no others", async () => {
    const { there, client } = await between();
    const [talker, silent] = [client(), client()];
    for (const one of [talker, silent]) {
      one.say("a");
      await one.hears("a");
    }
    there.cut();
    const late = client();
    await once(late.socket, "connect");
    talker.say("b");
    // these bytes arrive after those that the other connection has lost
    accepted[1]?.write("!");
    await silent.hears("a!");
    there.heal();
    await Promise.all([talker.ends(), late.ends()]);
    silent.say("c");
    await silent.hears("a!c");
    const fresh = client();
    fresh.say("d");
    await fresh.hears("d");
    expect(received.some((text) => text.includes("b"))).toBe(false);
  });

  it("swallows the end of a sender too", async () => {
    const { there, one } = await answered();
    there.cut();
    one.socket.end();
    accepted[0]?.write("!");
    await one.hears("a!");
    expect(accepted[0]?.readableEnded).toBe(false);
    there.heal();
    await expect.poll(() => accepted[0]?.destroyed).toBe(true);
  });
});

describe("a link with a delay", () => {
  it("passes nothing on before the delay is over, and bytes of a link without delay overtake it", async () => {
    const [late, prompt] = [await between(), await between()];
    const [one, other] = [late.client(), prompt.client()];
    one.say("a");
    await one.hears("a");
    late.there.delay(LONG_MS);
    one.say("b");
    other.say("c");
    await other.hears("c");
    expect(received).toEqual(["a", "c"]);
    late.there.heal();
    await one.hears("ab");
  });

  it("keeps the order of what was sent under a longer delay and under a shorter one", async () => {
    const { there, one } = await answered();
    const shorten = there.delay(100);
    there.delay(1);
    one.say("b");
    accepted[0]?.write("!");
    await one.hears("a!");
    shorten();
    one.say("c");
    await one.hears("a!bc");
  });

  it("one way delays nothing the other way", async () => {
    const { there, one } = await answered();
    there.delay(LONG_MS);
    one.say("b");
    accepted[0]?.write("!");
    await one.hears("a!");
    expect(received).toEqual(["a"]);
  });

  it("loses what is under way when it is cut", async () => {
    const { there, one } = await answered();
    there.delay(LONG_MS);
    one.say("b");
    there.cut();
    accepted[0]?.write("!");
    await one.hears("a!");
    there.heal();
    await one.ends();
    expect(received).toEqual(["a"]);
  });
});

describe("a link that breaks connections", () => {
  it("breaks one when the draw for arriving bytes says so", async () => {
    const { there, client } = await between();
    const draws = [0.6, 0.2];
    there.breakSometimes(50, () => draws.shift() ?? 1);
    const one = client();
    one.say("a");
    await one.hears("a");
    one.say("b");
    await one.ends();
    expect([received, draws]).toEqual([["a"], []]);
    const next = client();
    next.say("c");
    await next.hears("c");
  });

  it("one way leaves bytes of the other way alone, and can be healed", async () => {
    const { back, client } = await between();
    back.breakSometimes(100, () => 0);
    const one = client();
    one.say("a");
    await one.ends();
    expect(received).toEqual(["a"]);
    back.heal();
    const next = client();
    next.say("b");
    await next.hears("b");
  });
});

describe("a slow link", () => {
  it("passes bytes on in pieces, all of them and in order, and at once when it is healed", async () => {
    const { there, client } = await between();
    const one = client();
    there.slow(4);
    one.say("abcdef");
    await expect.poll(() => one.heard.length).toBeGreaterThan(1);
    expect(one.heard.length).toBeLessThan(6);
    await one.hears("abcdef");
    there.slow(1);
    const long = "x".repeat(300_000);
    one.say(long);
    accepted[0]?.write("!");
    await expect.poll(() => one.heard).toContain("!");
    expect(one.heard.length).toBeLessThan(1_000);
    there.heal();
    await expect.poll(() => one.heard.length).toBe(300_007);
  });

  it("that would carry nothing is refused", () => {
    expect(() => new OneWayLink().slow(0)).toThrow(RangeError);
  });
});

describe("a link with the same fault twice", () => {
  it("stays cut until both cuts are undone", async () => {
    const { there, one } = await answered();
    const [first, second] = [there.cut(), there.cut()];
    one.say("b");
    accepted[0]?.write("!");
    await one.hears("a!");
    first();
    // undoing the first cut twice does not undo the second
    first();
    expect(there.isCut).toBe(true);
    second();
    expect(there.isCut).toBe(false);
    await one.ends();
    expect(received).toEqual(["a"]);
  });

  it("has the worst delay, rate and chance of breaking of the faults that are left", () => {
    const link = new OneWayLink();
    const [shorter, longer] = [link.delay(100), link.delay(300)];
    const [slow, slower] = [link.slow(50), link.slow(5)];
    const brittle = link.breakSometimes(100, () => 0);
    link.breakSometimes(0, () => 0.5);
    expect([link.delayMs, link.bytesPerSecond, link.breaksNow()]).toEqual([300, 5, true]);
    longer();
    slower();
    brittle();
    expect([link.delayMs, link.bytesPerSecond, link.breaksNow()]).toEqual([100, 50, false]);
    shorter();
    slow();
    expect([link.delayMs, link.bytesPerSecond]).toEqual([0, undefined]);
  });

  it("still delays bytes by a lasting delay when a cut ends", async () => {
    const { there, one } = await answered();
    const mend = there.cut();
    there.delay(LONG_MS);
    mend();
    one.say("b");
    accepted[0]?.write("!");
    await one.hears("a!");
    expect(received).toEqual(["a"]);
    there.heal();
    await one.hears("a!b");
  });
});

describe("links whose faults keep changing", () => {
  const TEXT = Array.from({ length: 40 }, (_, at) => `${at} `.repeat(2_000));

  const disturb = (link: OneWayLink, step: number): void => {
    if (step % 5 === 1) link.delay(step % 4);
    if (step % 5 === 2) link.slow(200_000 * step);
    if (step % 5 === 3) link.delay(1)();
    if (step % 5 === 4) link.heal();
  };

  /** Waits until the proxy has read what was sent before, by sending on another connection afterwards. */
  const makeTick = async (): Promise<() => Promise<void>> => {
    const ear = (await between()).client();
    let ticks = "";
    return () => {
      ticks += ".";
      ear.say(".");
      return ear.hears(ticks);
    };
  };

  it("lose no bytes and keep their order", async () => {
    const { there, back, client } = await between();
    const [one, tick] = [client(), await makeTick()];
    for (const [step, text] of TEXT.entries()) {
      disturb(there, step);
      disturb(back, step + 2);
      one.say(text);
      await tick();
    }
    there.heal();
    back.heal();
    await one.hears(TEXT.join(""));
  });

  it("let nothing through after bytes that a cut has dropped", async () => {
    const { there, back, client } = await between();
    const [one, tick] = [client(), await makeTick()];
    for (const [step, text] of TEXT.entries()) {
      if (step === 20) there.cut();
      else disturb(back, step);
      one.say(text);
      await tick();
    }
    there.heal();
    await one.ends();
    const isPrefix = (text: string): boolean => TEXT.join("").startsWith(text);
    expect([...received, one.heard].filter((text) => !/^\.*$/.test(text) && !isPrefix(text))).toEqual([]);
    expect(received.every((text) => text.length < TEXT.join("").length)).toBe(true);
    expect(one.heard.length).toBeGreaterThan(0);
  });
});
