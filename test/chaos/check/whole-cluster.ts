import { Transaction, Wallet } from "ethers";
import {
  type ApprovalFact,
  accountName,
  type ChainFacts,
  type ClusterFacts,
  type EventFact,
  type RowFact,
  type SignerFacts,
} from "../facts/cluster-facts.ts";
import type { HeardDelivery, LoadHistory, LoadRequest, LoadWallet } from "../load/history.ts";
import { contentText } from "../load/webhook-ear.ts";
import { type Judged, QUIET_RUN } from "./finding.ts";

const NETWORK = "EthereumSepolia";
const FUNDED = 1_000_000n;
const FEE = 21_000n;
const DATE = "2026-11-20T00:00:00.000Z";
const PUBLISHED_MS = Date.parse(DATE) + 100;
const TO = "0x00000000000000000000000000000000000000AA";
const OTHER = "0x00000000000000000000000000000000000000bb";
/** The test wallets' signing key. */
const KEY = new Wallet(`0x${"11".repeat(32)}`);

/** The second wallet is guarded by a policy. */
const WALLETS: readonly LoadWallet[] = [
  { id: "wa-1", network: NETWORK, address: "0xFree", keyId: "key-1", isGuarded: false, funded: FUNDED },
  { id: "wa-2", network: NETWORK, address: "0xGuarded", keyId: "key-2", isGuarded: true, funded: FUNDED },
];

const unsignedOf = (nonce: number): Transaction =>
  Transaction.from({ type: 2, chainId: 1n, nonce, to: TO, value: 1n, gasLimit: 21_000n });

/** Signed bytes, different for each account nonce. @param like the account nonce of the transaction whose signature it copies */
export const bytesOf = (nonce: number, like = nonce): string => {
  const transaction = unsignedOf(nonce);
  transaction.signature = KEY.signingKey.sign(unsignedOf(like).unsignedHash);
  return transaction.serialized.slice(2);
};

const request = (number: number, verdict: "free" | "approved" | "denied", to: string): LoadRequest => ({
  asked: { number, atMs: 0, network: NETWORK, payer: 0, to, amount: BigInt(number), verdict },
  externalId: `load-1-${number}`,
  walletId: verdict === "free" ? "wa-1" : "wa-2",
  askedAtMs: 0,
  calls: 1,
  answer: { kind: "accepted", id: `xfr-${number}`, atMs: 1 },
  seen: { accepted: 1 },
  states: [],
  end: {
    status: verdict === "denied" ? "Rejected" : "Confirmed",
    reason: verdict === "denied" ? "denied by us-approver" : undefined,
    txHash: verdict === "denied" ? undefined : `hash-${number}`,
    atMs: 2,
  },
});

const row = ({ asked: { number, verdict, to, amount }, walletId, externalId }: LoadRequest): RowFact => {
  const isDenied = verdict === "denied";
  const approvalId = verdict === "free" ? undefined : `ap-${number}`;
  return {
    id: `xfr-${number}`,
    orgId: "or-1",
    walletId,
    externalId,
    status: isDenied ? "Rejected" : "Confirmed",
    reason: isDenied ? "denied by us-approver" : undefined,
    txHash: isDenied ? undefined : `hash-${number}`,
    sequence: isDenied ? undefined : BigInt(verdict === "free" ? number - 1 : 0),
    approvalId,
    authorisation: isDenied
      ? undefined
      : {
          isByAuthority: true,
          requestId: `xfr-${number}`,
          walletId,
          to,
          amount: String(amount),
          outcome: "Allowed",
          approvalId,
          approvers: approvalId === undefined ? [] : ["us-approver"],
        },
    signed: isDenied ? [] : [bytesOf(number)],
  };
};

const event = (resourceId: string, kind: string, data: object): EventFact => {
  return {
    id: `evt-${resourceId}-${kind}`,
    kind,
    orgId: "or-1",
    resourceId,
    date: DATE,
    content: contentText(data),
  };
};
const STATUSES = {
  requested: "Pending",
  broadcasted: "Broadcasted",
  confirmed: "Confirmed",
  rejected: "Rejected",
} as const;

/** The data of a transfer's event in the form of the API. */
export const contentOf = (
  { asked: { number, to, amount }, walletId, externalId }: LoadRequest,
  change: keyof typeof STATUSES,
): object => ({
  transferRequest: {
    id: `xfr-${number}`,
    walletId,
    network: NETWORK,
    externalId,
    status: STATUSES[change],
    requestBody: { kind: "Native", to, amount: String(amount) },
    ...(change === "broadcasted" || change === "confirmed" ? { txHash: `hash-${number}` } : {}),
  },
});
const lifeOf = (content: LoadRequest, end: readonly (keyof typeof STATUSES)[]): readonly EventFact[] =>
  (["requested", ...end] as const).map((change) =>
    event(`xfr-${content.asked.number}`, `wallet.transfer.${change}`, contentOf(content, change)),
  );
const approvalOf = (id: string): readonly EventFact[] =>
  ["pending", "resolved"].map((kind) => event(id, `policy.approval.${kind}`, { approval: { id } }));

const signer = (index: number): SignerFacts => ({
  index,
  holdings: ["key-1", "key-2"].map((keyId) => ({
    keyId,
    state: "active",
    epoch: 1,
    publicKey: `of ${keyId}`,
  })),
  shares: ["key-1", "key-2"].map((keyId) => ({ keyId, party: index })),
  presignatures: [],
  spent: [1, 2, 3].map((number) => {
    return { id: `presignature-${number}`, digest: `digest-${number}`, requestId: `xfr-${number}` };
  }),
  forgotten: [],
});

const [FIRST, SECOND] = [request(1, "free", TO), request(2, "free", TO)];
const [APPROVED, DENIED] = [request(3, "approved", OTHER), request(4, "denied", OTHER)];
const REQUESTS: readonly LoadRequest[] = [FIRST, SECOND, APPROVED, DENIED];
const EVENTS: readonly EventFact[] = [
  ...lifeOf(FIRST, ["broadcasted", "confirmed"]),
  ...lifeOf(SECOND, ["broadcasted", "confirmed"]),
  ...lifeOf(APPROVED, ["broadcasted", "confirmed"]),
  ...approvalOf("ap-3"),
  ...lifeOf(DENIED, ["rejected"]),
  ...approvalOf("ap-4"),
];
const DELIVERIES = EVENTS.map(({ kind, resourceId, date, content }): HeardDelivery => {
  return { kind, resourceId, date, content, isSignedRight: true, answered: 200 };
});

const approval = (id: string, subjectId: string, status: "Approved" | "Denied"): ApprovalFact => {
  return { id, subjectId, status, votes: [{ userId: "us-approver", value: status }] };
};

const chainFacts = (): ChainFacts => {
  const landed = REQUESTS.slice(0, 3).map(({ asked: { number, to, amount, verdict } }) => {
    const sender = verdict === "free" ? "0xFree" : "0xGuarded";
    const fact = { sender, recipient: to, amount, fee: FEE, isSigned: true, signed: bytesOf(number) };
    return [`xfr-${number}`, fact] as const;
  });
  return {
    landed: new Map(landed),
    balances: new Map([
      [accountName(NETWORK, TO), 3n],
      [accountName(NETWORK, OTHER), 3n],
      [accountName(NETWORK, "0xFree"), FUNDED - 3n - 2n * FEE],
      [accountName(NETWORK, "0xGuarded"), FUNDED - 3n - FEE],
    ]),
    sent: new Map([
      ["wa-1", ["hash-1", "hash-2"]],
      ["wa-2", ["hash-3"]],
    ]),
  };
};

/**
 * The facts of a healthy cluster of three signers with threshold two: two unguarded transfers to one receiver, one that was
 * approved, and one that was denied.
 */
export const wholeCluster = (): Judged => {
  const facts: ClusterFacts = {
    database: {
      rows: REQUESTS.map(row),
      approvals: [approval("ap-3", "xfr-3", "Approved"), approval("ap-4", "xfr-4", "Denied")],
      events: EVENTS,
      publishing: new Map(EVENTS.map(({ id }) => [id, PUBLISHED_MS])),
      unpublished: [],
      waitingDeliveries: [],
      due: [],
      faults: [],
    },
    published: EVENTS,
    chain: chainFacts(),
    signers: [1, 2, 3].map(signer),
    keys: ["key-1", "key-2"].map((keyId) => ({ keyId, isOne: true, isEcdsa: true })),
    leaks: [],
    caught: [],
    oldCopies: [],
    strangers: [{ path: "/wallets/wa-1", status: 404 }],
  };
  const history: LoadHistory = {
    seed: 1,
    orgId: "or-1",
    approverId: "us-approver",
    beganAtMs: 0,
    wallets: WALLETS,
    requests: REQUESTS,
    skipped: 0,
    wrongAnswers: [],
    deliveries: DELIVERIES,
  };
  return { facts, history, expected: QUIET_RUN };
};
