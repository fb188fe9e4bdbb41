import { got } from "../../testing/conformance/plain-wallet.ts";
import { describeRefusingNode, EMPTY_OBJECT } from "../../testing/conformance/refusing-suite.ts";
import { openStellarLedger } from "../../testing/ledgers/stellar-ledger.ts";
import {
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN_SPELT,
  stellarIntent,
  withStellarSignature,
} from "../../testing/stellar-samples.ts";
import { stellarHead } from "./ledgers.ts";
import { stellarNode } from "./node.ts";
import { connectStellar } from "./rest.ts";

describeRefusingNode({
  open: async () => {
    const ledger = await openStellarLedger();
    const connect = () => stellarNode({ ...STELLAR_TESTNET, horizonUrl: ledger.node.url });
    const own = withStellarSignature(got(await connect().build(stellarIntent())).unsigned);
    await ledger.closeAt(own.maxTime + 1n);
    return { scripted: ledger.node, connect, intent: stellarIntent(), own, stop: ledger.stop };
  },
  questions: (node) => [
    () => node.nextSequence(STELLAR_SENDER),
    () => node.tokenBalance(STELLAR_SENDER, STELLAR_TOKEN_SPELT),
  ],
  nonsense: [
    EMPTY_OBJECT,
    ["is behind what it follows", { status: 503, text: '{"title":"Historical DB Is Too Stale"}' }],
    ["is behind something that is broken", { status: 502, text: "<html>bad gateway</html>" }],
    ["is behind something that knows no such page", { status: 404, text: "<html>not found</html>" }],
    ["refuses the question", { status: 400, text: '{"title":"Bad Request"}' }],
    [
      "forgot what is asked for",
      { status: 410, text: '{"title":"Data Requested Is Before Recorded History"}' },
    ],
    ["answers with fields of other kinds", { status: 200, text: '{"sequence":-1,"ledger":"x","hash":5}' }],
  ],
  submitting: "/transactions_async",
  asking: "/ledgers",
  tooManyMib: 5,
  headWithin: (url, timeoutMs) => stellarHead(connectStellar("StellarTestnet", url, timeoutMs)),
  refusal: (text) => ({ status: 400, text }),
});
