import { type EnabledNetwork, FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  type ConnectAt,
  falteringWire,
  firstEntry,
  type OpenTriedChain,
  wireTroubles,
} from "@conclave/chains/testing/conformance";
import type { FoundKind } from "./find.ts";
import { startFront } from "./front.ts";
import { SUITE_CASES } from "./suite-cases.ts";

/** The number of transfers that a wallet is funded for. */
const TRANSFERS = 10n;

/** Opens the chain of a foreign node for the conformance suite. */
export const openForeignChain =
  ({ kind, path }: FoundKind): OpenTriedChain =>
  async (which) => {
    const { suite, rules } = kind;
    const own = SUITE_CASES[suite.file];
    if (which === "other" && own.other !== undefined) return own.other(which);
    const node = await kind.start(path, which);
    const front = await startFront(node.urlOf ?? (() => node.url), rules);
    const entry = firstEntry(node.entry(own.network, front.url));
    const moved = (served: EnabledNetwork, url: string): EnabledNetwork => ({
      ...served,
      ...{ [own.urlField]: url },
    });
    const connect: ConnectAt = (served, url) => NODES.connect(moved(served, url));
    return {
      family: FAMILIES.familyOf(entry.network),
      entry,
      connect: (served) => connect(served, front.url),
      keyOf: own.keyOf,
      amount: own.amount,
      transfer: (from, to, amount) => own.transfer(from, to, amount),
      fund: (address) => node.fund(address, TRANSFERS * own.amount),
      mine: (blocks = 1) => node.mine(blocks),
      include: () => node.mine(1),
      finalise: () => node.mine(suite.finalAfter),
      outlive: () => node.mine(suite.outlivedAfter),
      ...(node.reorganise === undefined ? {} : { reorganise: node.reorganise }),
      showsPool: own.showsPool,
      troubles: wireTroubles(connect),
      faltersAfter: falteringWire(connect, front.url),
      close: async () => {
        await front.close();
        await node.stop();
      },
    };
  };
