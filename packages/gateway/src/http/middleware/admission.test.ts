import type { Database } from "@conclave/platform";
import { afterEach, describe, expect, it } from "vitest";
import { ADMISSION_LIMITS, type AdmissionLimits } from "../../admission/limits.ts";
import { errorOf } from "../../testing/bodies.ts";
import { type Answer, startWorld, type World } from "../../testing/world.ts";

const ONE = { atOnce: 2, atOnceOfOne: 1, waiting: 0, waitingOfOne: 0, waitMs: 0 };

const NO_PERMISSION = "pm-aaaaa-bbbbb-cccccccccccccccc";

let world: World;
afterEach(() => world.stop());

const codeOf = ({ status, body, headers }: Answer) => [
  status,
  status === 200 ? undefined : errorOf(body).details.code,
  headers.get("retry-after"),
];
const stranger = () => ({ authorization: `Bearer ${world.strangersToken}` });

/** Bindings of a connection from an address. */
const address = (at: number) => ({ incoming: { socket: { remoteAddress: `203.0.113.${at}` } } });
const signIn = async (from: number): Promise<Answer> => {
  const body = JSON.stringify({ username: "nobody@acme.example", orgId: world.caller.orgId });
  const headers = { "content-type": "application/json", "content-length": String(body.length) };
  const answer = await world.raw("/auth/login/init", { method: "POST", headers, body }, address(from));
  return { status: answer.status, body: await answer.json(), headers: answer.headers };
};

/** A world that answers lists of wallets only after `letGo`. */
const startHeld = async (admission: Partial<AdmissionLimits>) => {
  let letGo = (): void => undefined;
  let held = 0;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const wrapDatabase = (database: Database): Database => ({
    ...database,
    listed: async (schema, text, values) => {
      if (/from wallets/.test(text)) {
        held += 1;
        await gate;
      }
      return database.listed(schema, text, values);
    },
  });
  world = await startWorld({ admission, wrapDatabase });
  return { letGo, held: () => held };
};

/** Requests whose bodies arrive when the test allows it. */
const slowBodies = () => {
  const ends: (() => void)[] = [];
  const answers: Promise<unknown>[] = [];
  let begun = 0;
  const bodyOf = () =>
    new ReadableStream(
      {
        pull: (controller) => {
          begun += 1;
          ends.push(() => controller.close());
        },
      },
      { highWaterMark: 0 },
    );
  const send = (
    count: number,
    path: string,
    headers: Readonly<Record<string, string>>,
    from?: ReturnType<typeof address>,
  ): readonly Promise<Response>[] => {
    const sent: Promise<Response>[] = [];
    for (let at = 0; at < count; at++) {
      const init: RequestInit & { readonly duplex: "half" } = {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: bodyOf(),
        duplex: "half",
      };
      sent.push(world.raw(path, init, from));
    }
    answers.push(...sent);
    return sent;
  };
  const end = async (): Promise<void> => {
    const ending = setInterval(() => {
      for (const one of ends.splice(0)) one();
    }, 10);
    await Promise.all(answers);
    clearInterval(ending);
  };
  return { send, begun: () => begun, end };
};

describe("a gateway that has as much as it takes", () => {
  it("refuses an organisation its next request, and serves the others", async () => {
    const { letGo, held } = await startHeld({ work: ONE });
    const first = world.call("GET", "/wallets");
    await expect.poll(held).toBe(1);
    expect(codeOf(await world.call("GET", "/wallets"))).toEqual([429, "TooManyAtOnce", "1"]);
    const others = world.call("GET", "/wallets", undefined, stranger());
    await expect.poll(held).toBe(2);
    letGo();
    expect((await Promise.all([first, others])).map(({ status }) => status)).toEqual([200, 200]);
    expect((await world.call("GET", "/wallets")).status).toBe(200);
  });

  it("INV-9 has a revocation wait in a line that is full, and go first", async () => {
    const { letGo, held } = await startHeld({
      work: { ...ONE, waiting: 4, waitingOfOne: 1, waitMs: 60_000 },
    });
    const first = world.call("GET", "/wallets");
    await expect.poll(held).toBe(1);
    const order: string[] = [];
    const lists = [1, 2].map(async () => {
      const { status } = await world.call("GET", "/wallets");
      if (status === 200) order.push("list");
      return status;
    });
    // the line has room for one of the two, whichever came first
    expect(await Promise.race(lists)).toBe(429);
    const revoked = world.call("DELETE", `/permissions/${NO_PERMISSION}`, {}).then(({ status }) => {
      order.push(`revoked ${status}`);
    });
    // it is in the line once later requests are refused there
    for (const _ of [1, 2]) expect((await world.call("GET", "/wallets")).status).toBe(429);
    letGo();
    await Promise.all([first, ...lists, revoked]);
    expect(order).toEqual(["revoked 404", "list"]);
  });

  it("K8 serves who signs in while other strangers' bodies do not come, from the same address too", async () => {
    world = await startWorld();
    const slow = slowBodies();
    const { strangers, signingIn, largeOfStrangers } = ADMISSION_LIMITS;
    const slowLogins = signingIn.atOnce + 8;
    slow.send(slowLogins, "/auth/login", { "content-length": "1000" }, address(1));
    slow.send(largeOfStrangers.atOnceOfOne, "/auth/login", { "content-length": "500000" }, address(1));
    await expect.poll(slow.begun).toBe(slowLogins + largeOfStrangers.atOnceOfOne);
    expect((await signIn(1)).status).toBe(200);
    const others = strangers.atOnceOfOne - slowLogins - largeOfStrangers.atOnceOfOne;
    slow.send(others, "/auth/login/init", { "content-length": "1000" }, address(1));
    await expect.poll(slow.begun).toBe(strangers.atOnceOfOne);
    expect(codeOf(await signIn(1))).toEqual([429, "TooManyAtOnce", "1"]);
    for (const other of [2, 3, 4]) expect((await signIn(other)).status).toBe(200);
    await slow.end();
    expect((await signIn(1)).status).toBe(200);
  });

  it("K8 waits for the body of a stranger for so long, and has its turn again", async () => {
    const strangers = { ...ONE, atOnce: 2 };
    world = await startWorld({ admission: { strangers, arrivalMs: 50 } });
    const slow = slowBodies();
    const [answer] = slow.send(1, "/auth/login", { "content-length": "1000" }, address(1));
    await expect.poll(slow.begun).toBe(1);
    const refused = await answer;
    expect([refused?.status, errorOf(await refused?.json()).details.code]).toEqual([408, "RequestTooSlow"]);
    expect((await signIn(1)).status).toBe(200);
    await slow.end();
  });

  it("K8 leaves a turn to each further address, however many are slow", async () => {
    const strangers = { atOnce: 64, atOnceOfOne: 16, waiting: 0, waitingOfOne: 0, waitMs: 0 };
    world = await startWorld({ admission: { strangers } });
    const slow = slowBodies();
    for (const at of [1, 2, 3, 4]) slow.send(16, "/auth/login", { "content-length": "1000" }, address(at));
    await expect.poll(slow.begun).toBeGreaterThan(40);
    for (const other of [5, 6, 7]) expect((await signIn(other)).status).toBe(200);
    await slow.end();
  });

  it("INV-9 serves others while somebody's bodies do not come, with a token and without one", async () => {
    world = await startWorld();
    const slow = slowBodies();
    slow.send(60, "/auth/login", { "content-length": "1000" });
    slow.send(60, "/v2/policies", { authorization: `Bearer ${world.token}` });
    await expect.poll(slow.begun).toBe(60 + ADMISSION_LIMITS.work.atOnceOfOne);
    expect((await world.call("GET", "/wallets", undefined, stranger())).status).toBe(200);
    await slow.end();
  });

  it("INV-9 serves a revocation while all turns of its organisation wait for bodies", async () => {
    world = await startWorld();
    const slow = slowBodies();
    const { work } = ADMISSION_LIMITS;
    slow.send(work.atOnceOfOne, "/v2/policies", { authorization: `Bearer ${world.token}` });
    await expect.poll(slow.begun).toBe(work.atOnceOfOne);
    expect((await world.call("DELETE", `/permissions/${NO_PERMISSION}`, {})).status).toBe(404);
    await slow.end();
  });

  it("INV-9 has one request of a person go first: others of theirs keep nobody's revocation out", async () => {
    world = await startWorld({ admission: { work: { ...ONE, atOnce: 4, beyondForFirst: 2 } } });
    const slow = slowBodies();
    const token = { authorization: `Bearer ${world.token}` };
    slow.send(1, "/v2/policies", token);
    await expect.poll(slow.begun).toBe(1);
    slow.send(1, "/auth/action", token);
    await expect.poll(slow.begun).toBe(2);
    // the organisation's share is used up, and this person's second request has no priority
    expect(codeOf(await world.call("POST", "/auth/action/init", {}))[1]).toBe("TooManyAtOnce");
    await slow.end();
    expect((await world.call("DELETE", `/permissions/${NO_PERMISSION}`, {})).status).toBe(404);
  });

  it("refuses everybody's next request once it is full", async () => {
    const { letGo, held } = await startHeld({ work: { ...ONE, atOnce: 1 } });
    const first = world.call("GET", "/wallets");
    await expect.poll(held).toBe(1);
    expect(codeOf(await world.call("GET", "/wallets", undefined, stranger()))).toEqual([
      503,
      "Overloaded",
      "1",
    ]);
    letGo();
    expect((await first).status).toBe(200);
  });

  it("refuses what arrives beyond the number that it holds, without asking who it is", async () => {
    const { letGo, held } = await startHeld({ underWay: 1 });
    const first = world.call("GET", "/wallets");
    await expect.poll(held).toBe(1);
    const answer = await world.call("GET", "/wallets", undefined, { authorization: "" });
    expect(codeOf(answer)).toEqual([503, "Overloaded", "1"]);
    letGo();
    expect((await first).status).toBe(200);
  });
});

describe("requests that wait for the signers", () => {
  const body = { network: "EthereumSepolia" };

  it("INV-9 are refused beyond a number, and nothing is changed; others are answered meanwhile", async () => {
    world = await startWorld({ admission: { signing: ONE } });
    world.script(undefined);
    const rows = await world.rows();
    const first = world.call("POST", "/wallets", body);
    await expect.poll(world.rows).toBeGreaterThan(rows);
    const before = await world.rows();
    expect(codeOf(await world.call("POST", "/wallets", body))).toEqual([429, "TooManyAtOnce", "1"]);
    expect(await world.rows()).toBe(before);
    expect((await world.call("GET", "/wallets")).status).toBe(200);
    expect(codeOf(await first)).toEqual([503, "RequestInProgress", "1"]);
  });
});
