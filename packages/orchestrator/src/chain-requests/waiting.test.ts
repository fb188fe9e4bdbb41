import type { ChainFamily } from "@conclave/chains";
import { EVM_FAMILY } from "@conclave/chains/evm";
import { NODES } from "@conclave/chains/node";
import {
  AUTHORISATION_AGE_MS_MAX,
  type ChainWallet,
  type ErrorCode,
  problem,
  type TransferId,
} from "@conclave/custody";
import { makeLogger, readTransfer } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { SigningPort } from "../signing-port.ts";
import { noneSigned, plainSigners } from "../testing/plain-signers.ts";
import { startWorld, type World } from "../testing/world.ts";
import { carryOutRequest } from "./work.ts";

const GWEI = 1_000_000_000n;

let world: World;
let wallet: ChainWallet;
/** bytes that signers were asked to sign, in hex */
let asked: string[];

beforeEach(async () => {
  world = await startWorld();
  await world.anvil.control.setAutomine(false);
  wallet = await world.wallet();
  asked = [];
});
afterEach(() => world.stop());

/** Signers, too few of which are left in the middle of the first session; some of them may be bound to its bytes. */
const leavingOnce = (): SigningPort => {
  const plain = plainSigners(world.account);
  return {
    shortage: () => undefined,
    isBegun: () => false,
    askSigned: noneSigned,
    sign: async (request, waiting) => {
      asked.push(Buffer.from(request.unsigned).toString("hex"));
      return asked.length === 1 ? { kind: "stopped" } : plain.sign(request, waiting);
    },
  };
};

const handlerOf = (quorum: SigningPort, family: Pick<ChainFamily, "excludes"> = EVM_FAMILY) => ({
  database: world.orchestratorDatabase,
  chains: new Map([
    [world.network.network, { family: { ...EVM_FAMILY, ...family }, node: NODES.connect(world.network) }],
  ]),
  quorum,
  logger: makeLogger({ name: "test", level: "silent" }),
  world: processWorld,
  broadcasted: () => undefined,
  signal: () => undefined,
});

/** Delivers one transfer twice, with higher fees on the chain the second time. */
const askTwice = async (family: Pick<ChainFamily, "excludes">): Promise<void> => {
  const { id } = await world.transfer(wallet);
  const handler = handlerOf(leavingOnce(), family);
  expect(await carryOutRequest(handler, id)).toMatchObject({ kind: "Again" });
  await world.anvil.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 2n * GWEI });
  await world.anvil.control.mine({ blocks: 1 });
  expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
  expect(asked).toHaveLength(2);
};

describe("a request whose signers went away while they signed", () => {
  it("INV-4 keeps the bytes that some of them may be bound to, where nothing excludes them", async () => {
    await askTwice({ excludes: () => false });
    expect(asked[1]).toBe(asked[0]);
  });

  it("gets the fees of now where the new bytes exclude the old ones", async () => {
    await askTwice(EVM_FAMILY);
    expect(asked[1]).not.toBe(asked[0]);
  });
});

describe("INV-5 a request whose authorisation grew old while the gateway was away", () => {
  /** Renews an authorisation as the gateway would have this long ago. */
  const authorise = async (id: TransferId, agoMs: number): Promise<void> => {
    const { authorisation } = (await readTransfer(world.database, id)) ?? expect.fail("no transfer");
    const text = Buffer.from(authorisation?.payload ?? expect.fail("not authorised")).toString("utf8");
    const { dateAuthorised: _, ...before } = z.looseObject({}).parse(JSON.parse(text));
    const later = { ...before, dateAuthorised: new Date(Date.now() - agoMs).toISOString() };
    await world.database.execute("update chain_requests set authorisation = $2 where id = $1", [
      id,
      Buffer.from(JSON.stringify(later), "utf8"),
    ]);
  };

  /** Delivers a transfer that all signers refuse with this code, and then again when they sign it. */
  const expectWait = async (code: ErrorCode): Promise<void> => {
    const { id } = await world.transfer(wallet);
    const refusing: SigningPort = {
      shortage: () => undefined,
      isBegun: () => false,
      askSigned: noneSigned,
      sign: async () => ({ kind: "failed", problem: problem(code) }),
    };
    expect(await carryOutRequest(handlerOf(refusing), id)).toMatchObject({ kind: "Again" });
    expect(await readTransfer(world.database, id)).toMatchObject({
      status: "Executing",
      reason: problem(code).message,
    });
    expect(await carryOutRequest(handlerOf(plainSigners(world.account)), id)).toEqual({ kind: "Done" });
  };

  it("waits without asking signers, which would cost a presignature, and goes on once it is renewed", async () => {
    const { id } = await world.transfer(wallet);
    await authorise(id, AUTHORISATION_AGE_MS_MAX);
    const quorum = plainSigners(world.account);
    const handler = handlerOf(quorum);
    expect(await carryOutRequest(handler, id)).toMatchObject({ kind: "Again" });
    expect(await readTransfer(world.database, id)).toMatchObject({
      status: "Executing",
      reason: "waiting for the gateway to authorise it anew",
    });
    expect(quorum.signatures()).toBe(0);
    await authorise(id, 0);
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    expect((await readTransfer(world.database, id))?.status).toBe("Broadcasted");
  });

  it("waits when signers find it too old by their clocks, and does not fail", async () => {
    await expectWait("AuthorisationNotCurrent");
  });

  it("INV-5 waits when signers lost their shares of its key, and goes on once they have them again", async () => {
    await expectWait("KeyUnknown");
  });
});
