import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import { got, makeTransaction, openPlainWallet, plainIntent, sendTransaction } from "./plain-wallet.ts";
import type { OpenTriedChain, TriedChain } from "./tried-chain.ts";

const NOISE = new Uint8Array(200).fill(0x5a);

/** `broadcast` may throw for bytes that `attach` did not return, since only a bug could cause that. */
const answerTo = async (node: ChainNode, signed: Uint8Array): Promise<string> => {
  try {
    return (await node.broadcast(signed)).kind;
  } catch {
    return "refused";
  }
};

/** Tests inputs from elsewhere: bytes that the chain cannot accept, and a node of another chain at the entry's URL. */
export const strangerTests = (give: () => TriedChain, open: OpenTriedChain): void => {
  let other: TriedChain;
  beforeAll(async () => {
    other = await open("other");
  });
  afterAll(() => other.close());

  it("are refused: bytes that were altered after they were signed, and noise", async () => {
    const chain = give();
    const wallet = await openPlainWallet(chain);
    const { signed, txHash } = await makeTransaction(chain, wallet);
    const node = chain.connect(chain.entry);
    for (const at of [signed.length - 3, Math.floor(signed.length / 2)]) {
      const altered = signed.map((byte, which) => (which === at ? byte ^ 1 : byte));
      expect(await answerTo(node, altered), `byte ${at}`).not.toBe("accepted");
    }
    for (const noise of [NOISE, new Uint8Array()]) {
      expect(["refused", "unacceptable"]).toContain(await answerTo(node, noise));
    }
    await chain.include();
    expect(got(await node.sight(txHash)).kind).toBe("unknown");
  });

  it("are not taken: bytes of another chain", async () => {
    const chain = give();
    const wallet = await openPlainWallet(chain, other);
    const { signed, txHash } = await makeTransaction(other, wallet);
    const node = chain.connect(chain.entry);
    expect(["refused", "outdated", "unacceptable"]).toContain((await node.broadcast(signed)).kind);
    await chain.include();
    expect(got(await node.sight(txHash)).kind).not.toBe("included");
  });

  it("INV-4 are recognised at a node of another chain, for which nothing is built that lands, and nothing is found dead", async () => {
    const chain = give();
    const wallet = await openPlainWallet(chain, other);
    const made = await makeTransaction(chain, wallet);
    const stray = other.connect(chain.entry);
    expect(got(await stray.ofChain())).not.toBe(chain.family.chainOf(chain.entry));
    // on the other chain the account has transactions, and time passes
    await sendTransaction(other, other.connect(other.entry), wallet);
    await other.outlive();
    const fate = await stray.fateOf(wallet.address, [made]);
    expect(fate.ok ? fate.value.kind : fate.problem.code).toBe("ServiceUnavailable");
    const sighting = await stray.sight(made.txHash);
    expect(sighting.ok ? sighting.value.kind : "unknown").toBe("unknown");
    const built = await stray.build(plainIntent(wallet, made.act));
    // the built bytes name the entry's chain, so the other chain would refuse them
    if (built.ok)
      expect(got(chain.family.read(chain.entry, built.value.unsigned, made.act)).signables).toHaveLength(1);
    else expect(built.problem.code).toBe("ServiceUnavailable");
  });
};
