import { attachSignatures, buildTransfer } from "@conclave/chains/evm";
import {
  got,
  makeTransaction,
  type OpenTriedChain,
  openPlainWallet,
  type PlainWallet,
  payeeOf,
  type TriedChain,
} from "@conclave/chains/testing/conformance";
import { keccak256 } from "viem/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SuiteFile } from "./node.ts";

/** Makes signed bytes that every node of the family refuses permanently. */
type MakeHopeless = (chain: TriedChain, wallet: PlainWallet) => Promise<Uint8Array>;

/** above every node's block gas limit here, and above EIP-7825's limit */
const GAS_LIMIT = 200_000_000n;
const GWEI = 1_000_000_000n;

/** A transaction with a gas limit above every block's. */
const aboveEveryBlock: MakeHopeless = async (chain, { key }) => {
  const transfer = { kind: "Native", to: payeeOf(chain).toLowerCase(), amount: "1" } as const;
  const fees = { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI };
  const chainId = Number(chain.family.chainOf(chain.entry));
  const unsigned = buildTransfer({ chainId, nonce: 0n, fees, gasLimit: GAS_LIMIT, transfer });
  const signature = key.sign(keccak256(unsigned, "bytes"));
  return got(attachSignatures(unsigned, [signature], [key.publicKey])).signed;
};

/**
 * A valid transfer with one bit of its signature changed. @param at offset of a signature byte, from the start, or from the end
 * if negative
 */
const alteredAt =
  (at: number): MakeHopeless =>
  async (chain, wallet) => {
    const { signed } = await makeTransaction(chain, wallet);
    const altered = signed.slice();
    const place = at < 0 ? signed.length + at : at;
    altered[place] = (altered[place] ?? 0) ^ 1;
    return altered;
  };

/** offset into s of the last input's signature, before hash type, key with its length, and lock time */
const IN_LAST_WITNESS = -(4 + 34 + 1 + 10);
/** Algorand's signed transactions begin with a map of two entries, the first of which is the signature */
const IN_SIGNATURE_OF_MAP = 20;
/** TRON's signed transactions end with the signature: r, s and the recovery byte */
const IN_LAST_SIGNATURE = -40;

const HOPELESS: Readonly<Record<SuiteFile, MakeHopeless>> = {
  Evm: aboveEveryBlock,
  Bitcoin: alteredAt(IN_LAST_WITNESS),
  Tron: alteredAt(IN_LAST_SIGNATURE),
  Algorand: alteredAt(IN_SIGNATURE_OF_MAP),
};

declare module "vitest" {
  interface TaskMeta {
    /** a node's words, for the table */
    says?: string;
  }
}

/** Tests that a node's own words for a permanent refusal are recognised. The run's report lists them. */
export const describeFinalRefusal = (name: string, file: SuiteFile, open: OpenTriedChain): void => {
  describe(`${name}: a refusal for ever`, () => {
    let chain: TriedChain;
    beforeAll(async () => {
      chain = await open("ours");
    });
    afterAll(() => chain.close());

    it("is understood as one, in the node's own words", async ({ task }) => {
      const wallet = await openPlainWallet(chain);
      const said = await chain.connect(chain.entry).broadcast(await HOPELESS[file](chain, wallet));
      expect(said.kind, JSON.stringify(said)).toBe("unacceptable");
      if (said.kind === "unacceptable") task.meta.says = said.reason;
    });
  });
};
