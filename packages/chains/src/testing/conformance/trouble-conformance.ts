import type { Result } from "@conclave/custody";
import { expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import { got, makeTransaction, openPlainWallet, plainIntent, sendTransaction } from "./plain-wallet.ts";
import type { TriedChain } from "./tried-chain.ts";

/** Most requests before a node falls silent: more than one look-up of a transaction needs. */
const MOST_REQUESTS = 8;

const codeOf = (result: Result<unknown>): string => (result.ok ? "ok" : result.problem.code);

/** Tests that the client of a troubled node returns no information, within bounded time, and never false information. */
export const troubleTests = (give: () => TriedChain): void => {
  it("tells nothing of the chain, builds nothing, accepts nothing, and finds nothing dead", async () => {
    const chain = give();
    const { entry, family } = chain;
    const wallet = await openPlainWallet(chain);
    const made = await makeTransaction(chain, wallet);
    for (const { name, meet } of chain.troubles) {
      const said = await meet(entry, async (node) => {
        const asked = [
          node.head(),
          node.ofChain(),
          node.block(1n, new Set([made.txHash])),
          node.sight(made.txHash),
          node.fateOf(wallet.address, [made]),
          node.build(plainIntent(wallet, made.act)),
          node.balance(wallet.address),
          ...(node.arrivals === undefined ? [] : [node.arrivals(1n, async () => new Set())]),
          ...(family.countsTransactions ? [node.nextSequence(wallet.address)] : []),
        ];
        const [outcome, ...codes] = await Promise.all([
          node.broadcast(made.signed),
          ...asked.map(async (answer) => codeOf(await answer)),
        ]);
        return { outcome, codes };
      });
      expect(said.outcome, name).toMatchObject({ kind: "refused" });
      expect(new Set(said.codes), name).toEqual(new Set(["ServiceUnavailable"]));
    }
    // the failed calls changed nothing on the chain
    const node = chain.connect(entry);
    expect(got(await node.sight(made.txHash)).kind).toBe("unknown");
    expect(await node.broadcast(made.signed)).toEqual({ kind: "accepted" });
    await chain.include();
    expect(got(await node.sight(made.txHash)).kind).toBe("included");
  });

  it("leaves a node alone that asks for fewer requests, and says so", async () => {
    const chain = give();
    const { asksForRest, entry } = chain;
    if (asksForRest === undefined) return;
    const wallet = await openPlainWallet(chain);
    const made = await makeTransaction(chain, wallet);
    await asksForRest(entry, async (node, requests) => {
      const first = await node.head();
      const asked = requests();
      expect(asked).toBeGreaterThan(0);
      const later = [
        await node.head(),
        await node.sight(made.txHash),
        await node.fateOf(wallet.address, [made]),
        await node.build(plainIntent(wallet, made.act)),
        await node.balance(wallet.address),
      ];
      for (const said of [first, ...later]) {
        expect(said.ok ? "ok" : said.problem.code).toBe("ServiceUnavailable");
        expect(said.ok ? "ok" : said.problem.message).toContain(
          "it asks for fewer requests, and is left alone for",
        );
      }
      expect(await node.broadcast(made.signed)).toMatchObject({ kind: "refused" });
      expect(requests()).toBe(asked);
    });
  });

  it("INV-4 tells the truth or nothing, wherever it falls silent", async () => {
    const chain = give();
    const { faltersAfter } = chain;
    if (faltersAfter === undefined) return;
    const wallet = await openPlainWallet(chain);
    const made = await sendTransaction(chain, chain.connect(chain.entry), wallet);
    await chain.include();
    await chain.outlive();
    const sighting = await chain.connect(chain.entry).sight(made.txHash);
    const asked = async (requests: number) =>
      faltersAfter(requests).meet(chain.entry, (node: ChainNode) => node.sight(made.txHash));
    const judged = async (requests: number) =>
      faltersAfter(requests).meet(chain.entry, (node: ChainNode) => node.fateOf(wallet.address, [made]));
    for (let requests = 0; requests < MOST_REQUESTS; requests += 1) {
      const seen = await asked(requests);
      if (seen.ok) expect(seen, `after ${requests}`).toEqual(sighting);
      else expect(seen.problem.code, `after ${requests}`).toBe("ServiceUnavailable");
      const fate = await judged(requests);
      expect(fate.ok ? fate.value.kind : fate.problem.code, `after ${requests}`).toMatch(
        /^(open|ServiceUnavailable)$/,
      );
    }
  });
};
