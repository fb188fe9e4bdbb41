import type { ChainFamily } from "@conclave/chains";
import { EVM_FAMILY } from "@conclave/chains/evm";
import { NODES } from "@conclave/chains/node";
import type { ChainWallet } from "@conclave/custody";
import { makeLogger } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SigningQuorum } from "../signing-quorum.ts";
import { plainQuorum } from "../testing/plain-quorum.ts";
import { startWorld, type World } from "../testing/world.ts";
import { carryOutRequest } from "./work.ts";

const GWEI = 1_000_000_000n;

let world: World;
let wallet: ChainWallet;
/** the bytes that signers were asked to sign, in hex */
let asked: string[];

beforeEach(async () => {
  world = await startWorld();
  await world.anvil.control.setAutomine(false);
  wallet = await world.wallet();
  asked = [];
});
afterEach(() => world.stop());

/** Signers of which too few are left in the middle of the first session: some of them may be bound to its bytes. */
const leavingOnce = (): SigningQuorum => {
  const plain = plainQuorum(world.account);
  return {
    shortage: () => undefined,
    sign: async (request, waiting) => {
      asked.push(Buffer.from(request.unsigned).toString("hex"));
      return asked.length === 1 ? { kind: "stopped" } : plain.sign(request, waiting);
    },
  };
};

/** Asks twice for one transfer, with higher fees on the chain the second time. */
const askTwice = async (family: Pick<ChainFamily, "excludes">): Promise<void> => {
  const { id } = await world.transfer(wallet);
  const served = { family: { ...EVM_FAMILY, ...family }, node: NODES.connect(world.network) };
  const handler = {
    database: world.orchestratorDatabase,
    chains: new Map([[world.network.network, served]]),
    quorum: leavingOnce(),
    logger: makeLogger({ name: "test", level: "silent" }),
    broadcasted: () => undefined,
    signal: () => undefined,
  };
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
