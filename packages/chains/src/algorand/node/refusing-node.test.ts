import {
  ALGO_TRANSFER,
  ALGORAND_KEY,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASSET_ID,
  authorisedAlgorand,
  signedAlgorand,
} from "../../testing/algorand-samples.ts";
import { got } from "../../testing/conformance/plain-wallet.ts";
import { describeRefusingNode, EMPTY_OBJECT } from "../../testing/conformance/refusing-suite.ts";
import { openScriptedLedger } from "../../testing/ledgers/scripted-ledger.ts";
import { algorandNode } from "./node.ts";
import { connectAlgod } from "./rest.ts";
import { algorandHead } from "./rounds.ts";

const intent = {
  sender: ALGORAND_SENDER,
  keys: [ALGORAND_KEY.publicKey],
  act: authorisedAlgorand(ALGO_TRANSFER),
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
} as const;

describeRefusingNode({
  open: async () => {
    const ledger = await openScriptedLedger("Algorand", ALGORAND_TESTNET.genesisId);
    await ledger.fund(ALGORAND_SENDER, 10_000_000);
    const connect = () => algorandNode({ ...ALGORAND_TESTNET, algodUrl: ledger.node.url });
    const own = signedAlgorand(got(await connect().build(intent)).unsigned);
    await ledger.mine(202);
    return { scripted: ledger.node, connect, intent, own, stop: ledger.stop };
  },
  questions: (node) => [
    () => node.describeToken(ASSET_ID),
    () => node.tokenBalance(ALGORAND_SENDER, ASSET_ID),
  ],
  nonsense: [
    EMPTY_OBJECT,
    ["wants a token", { status: 401, text: '{"message":"Invalid API Token"}' }],
    ["refuses the question", { status: 400, text: '{"message":"no"}' }],
    [
      "answers with fields of other kinds",
      { status: 200, text: '{"last-round":"x","amount":-1,"blockHash":5}' },
    ],
  ],
  submitting: "/v2/transactions",
  asking: "/v2/status",
  tooManyMib: 9,
  headWithin: (algodUrl, timeoutMs) =>
    algorandHead(connectAlgod({ ...ALGORAND_TESTNET, algodUrl }, timeoutMs)),
  refusal: (message) => ({ status: 400, text: JSON.stringify({ message }) }),
});
