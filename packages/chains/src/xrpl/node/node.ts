import { fail, ok, type Result } from "@conclave/custody";
import { BlockPieces } from "../../answers/block-pieces.ts";
import { ofBlock } from "../../answers/hurdle.ts";
import { restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type NodeSurroundings, processSurroundings } from "../../breaker/node/surroundings.ts";
import type { BuiltTransaction, ChainNode, TransactionIntent } from "../../chain.ts";
import { buildXrpl } from "../build.ts";
import type { XrplNetwork } from "../network.ts";
import { xrplPlan } from "../plan.ts";
import { parseXrplAddress } from "../rules/address.ts";
import { readSignedXrpl } from "../transaction.ts";
import { currentAccount, validatedAccount } from "./account.ts";
import { type CarriedOut, xrplArrivals } from "./arrivals.ts";
import { broadcastXrpl } from "./broadcast.ts";
import { xrplFate, xrplTwin } from "./fate.ts";
import { connectRippled, type Rippled } from "./json-rpc.ts";
import { judgeXrplRecipientAt } from "./judge-recipient.ts";
import { xrplHead, xrplLedger } from "./ledgers.ts";
import { xrplChainNow, xrplSituation } from "./look-around.ts";
import { PlaceWatch } from "./place-watch.ts";
import { findSentXrpl } from "./sent.ts";
import { sightXrpl } from "./sight.ts";
import { trySimulate } from "./simulate.ts";

const TRANSACTION_ID = /^[0-9A-F]{64}$/;

const addressIn = (text: string): string => {
  const address = parseXrplAddress(text, "address");
  if (!address.ok) throw new TypeError("an account is named by its address");
  return address.value;
};

/** Reads the chain's state and builds the unsigned transaction of a request. */
const lookAndBuild = async (
  network: XrplNetwork,
  rippled: Rippled,
  watch: PlaceWatch,
  intent: TransactionIntent,
): Promise<Result<BuiltTransaction>> => {
  const plan = xrplPlan(intent.act);
  if (!plan.ok) return plan;
  const situation = await xrplSituation(rippled, watch, intent, plan.value.payment);
  if (!situation.ok) return situation;
  const built = buildXrpl(network, situation.value, intent);
  if (!built.ok) return built;
  const tried = await trySimulate(rippled, built.value.unsigned);
  return tried.ok ? built : tried;
};

/** Drops, including the reserve; zero if the account does not exist. */
const dropsOf = async (rippled: Rippled, owner: string): Promise<Result<bigint>> => {
  const account = await validatedAccount(rippled, owner);
  return account.ok ? ok(account.value?.balance ?? 0n) : account;
};

const nextPlaceOf = async (rippled: Rippled, sender: string): Promise<Result<bigint | undefined>> => {
  const account = await currentAccount(rippled, sender);
  return account.ok ? ok(account.value?.next) : account;
};

/** The node of an XRP Ledger network, by JSON-RPC (rippled). */
export const xrplNode = (
  network: XrplNetwork,
  surroundings: NodeSurroundings = processSurroundings,
): ChainNode<XrplNetwork> => {
  const rippled = connectRippled(network, undefined, restingFetch(surroundings));
  const watch = new PlaceWatch();
  const pieces = new BlockPieces<CarriedOut>();
  return {
    network,
    build: (intent) => lookAndBuild(network, rippled, watch, intent),
    broadcast: (signed) => broadcastXrpl(rippled, readSignedXrpl(signed)),
    head: () => xrplHead(rippled),
    ofChain: async () => {
      const now = await xrplChainNow(rippled);
      return now.ok ? ok(String(now.value.networkId)) : now;
    },
    block: (height, ours) => xrplLedger(rippled, height, ours),
    arrivals: async (height, areOurs, arePayers) =>
      ofBlock(rippled.network, height, await xrplArrivals(rippled, pieces, height, { areOurs, arePayers })),
    judgeRecipient: (transfer) => judgeXrplRecipientAt(rippled, transfer),
    sight: (txHash, expected) => {
      if (!TRANSACTION_ID.test(txHash))
        throw new TypeError("a transaction's id is 32 bytes of upper-case hex");
      return sightXrpl(rippled, txHash, expected);
    },
    fateOf: (sender, transactions) => xrplFate(network, rippled, addressIn(sender), transactions),
    twinOf: (sender, own) => xrplTwin(rippled, addressIn(sender), own),
    findSent: (sender, search) => findSentXrpl(rippled, addressIn(sender), search),
    nextSequence: (sender) => nextPlaceOf(rippled, addressIn(sender)),
    describeToken: async () => ok({}),
    balance: (owner) => dropsOf(rippled, addressIn(owner)),
    tokenBalance: async () => ok(undefined),
    tokenOwner: async () => ok(undefined),
    feeLevels: async () => fail("PriorityNotSupported", { network: network.network }),
  };
};
