import { type EnabledNetwork, FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { testAccount, testEdwardsKey } from "@conclave/chains/testing";
import {
  type ConnectAt,
  falteringWire,
  firstEntry,
  type OpenTriedChain,
  wireTroubles,
} from "@conclave/chains/testing/conformance";
import type { FoundKind } from "./find.ts";
import { startFront } from "./front.ts";

/** A wallet is funded for so many transfers. */
const TRANSFERS = 10n;

/** A chain of a foreign node, as the suite of chain nodes tries it. */
export const openForeignChain =
  ({ kind, path }: FoundKind): OpenTriedChain =>
  async (which) => {
    const { suite, rules } = kind;
    if (which === "other" && suite.other !== undefined) return suite.other(which);
    const node = await kind.start(path, which);
    const front = await startFront(node.urlOf ?? (() => node.url), rules);
    const entry = firstEntry(node.entry(suite.network, front.url));
    const moved = (told: EnabledNetwork, url: string): EnabledNetwork => ({
      ...told,
      ...{ [suite.urlField]: url },
    });
    const connect: ConnectAt = (told, url) => NODES.connect(moved(told, url));
    return {
      family: FAMILIES.familyOf(entry.network),
      entry,
      connect: (told) => connect(told, front.url),
      keyOf: suite.key === "secp256k1" ? testAccount : testEdwardsKey,
      amount: suite.amount,
      transfer: (from, to, amount) => suite.transfer(from, to, amount),
      fund: (address) => node.fund(address, TRANSFERS * suite.amount),
      mine: (blocks = 1) => node.mine(blocks),
      include: () => node.mine(1),
      finalise: () => node.mine(suite.finalAfter),
      outlive: () => node.mine(suite.outlivedAfter),
      ...(node.reorganise === undefined ? {} : { reorganise: node.reorganise }),
      showsPool: suite.showsPool,
      troubles: wireTroubles(connect),
      faltersAfter: falteringWire(connect, front.url),
      close: async () => {
        await front.close();
        await node.stop();
      },
    };
  };
