import { describe } from "vitest";
import type { EventFact } from "../facts/cluster-facts.ts";
import {
  type Break,
  type BrokenCluster,
  both,
  CONFIRMED,
  contentAs,
  findsEach,
  inAuthorisation,
  inDatabase,
  inFacts,
  inHistory,
  inRow,
} from "./broken-cluster.ts";

const without = (id: string) =>
  inDatabase(({ events }) => ({ events: events.filter((one) => one.id !== id) }));

const inPublished = (change: Partial<EventFact>): Break =>
  inFacts(({ published }) => ({
    published: published.map((one) => (one.id === CONFIRMED ? { ...one, ...change } : one)),
  }));
/** Changes the content of the first transfer's last event at all its receivers. */
const everywhere = (content: string): Break => {
  const withContent = <E extends { readonly resourceId: string; readonly kind: string }>(event: E): E =>
    event.resourceId === "xfr-1" && event.kind.endsWith("confirmed") ? { ...event, content } : event;
  return both(
    inDatabase(({ events }) => ({ events: events.map(withContent) })),
    both(
      inFacts(({ published }) => ({ published: published.map(withContent) })),
      inHistory(({ deliveries }) => ({ deliveries: deliveries.map(withContent) })),
    ),
  );
};

const EVENTS: readonly BrokenCluster[] = [
  [
    "INV-6 a change without its event",
    without(CONFIRMED),
    [
      ["INV-6", /events are: requested broadcasted$/],
      ["INV-6", /on the bus, and the database does not/],
      ["INV-6", /delivered, and the database does not/],
    ],
  ],
  [
    "INV-6 a change with two events",
    inDatabase(({ events }) => ({
      events: events.flatMap((one) => (one.id === CONFIRMED ? [one, { ...one, id: "evt-again" }] : [one])),
    })),
    [
      ["INV-6", /requested broadcasted confirmed confirmed/],
      ["INV-6", /\(evt-again\) is not on the bus/],
    ],
  ],
  [
    "INV-6 an approval whose end was told twice",
    inDatabase(({ events }) => ({
      events: events.flatMap((one) =>
        one.id === "evt-ap-3-policy.approval.resolved" ? [one, { ...one, id: "evt-again" }] : [one],
      ),
    })),
    [
      ["INV-6", /events of its approval are: pending resolved resolved/],
      ["INV-6", /\(evt-again\) is not on the bus/],
    ],
  ],
  [
    "INV-6 an event that waits in the outbox",
    inDatabase(() => ({ unpublished: [CONFIRMED] })),
    [["INV-6", /waits to be published/]],
  ],
  [
    "INV-6 an event that is not on the bus",
    inFacts(({ published }) => ({ published: published.filter(({ id }) => id !== CONFIRMED) })),
    [["INV-6", /confirmed of xfr-1 .* is not on the bus/]],
  ],
  [
    "INV-6 an event that is on the bus twice",
    inFacts(({ published }) => ({
      published: published.flatMap((one) => (one.id === CONFIRMED ? [one, one] : [one])),
    })),
    [["INV-6", /more than once/]],
  ],
  [
    "INV-6 a bus with another order",
    inFacts(({ published }) => ({ published: [...published].reverse() })),
    ["xfr-4", "ap-4", "xfr-3", "ap-3", "xfr-2", "xfr-1"].map(() => ["INV-6", /in another order/] as const),
  ],
  [
    "INV-6 an event that was never delivered",
    inHistory(({ deliveries }) => ({ deliveries: deliveries.slice(1) })),
    [["INV-6", /requested of xfr-1 .* was never delivered/]],
  ],
  [
    "INV-6 a delivery that was refused and is not tried again",
    inHistory(({ deliveries }) => ({
      deliveries: deliveries.map((one, at) => (at === 0 ? { ...one, answered: 500 as const } : one)),
    })),
    [["INV-6", /was delivered and refused/]],
  ],
  [
    "INV-6 an event whose message on the bus is of another kind",
    inPublished({ kind: "wallet.transfer.failed" }),
    [["INV-6", /failed of xfr-1 .* on the bus with other words/]],
  ],
  [
    "INV-6 an event whose message on the bus has another date",
    inPublished({ date: "2026-11-19T00:00:00.000Z" }),
    [["INV-6", /confirmed of xfr-1 .* on the bus with other words/]],
  ],
  [
    "INV-6 an event whose message on the bus shows another transfer",
    inPublished({ content: '{"transferRequest":{"id":"xfr-1","status":"Failed"}}' }),
    [["INV-6", /confirmed of xfr-1 .* on the bus with other words/]],
  ],
  [
    "INV-6 a delivery that shows another state than its event",
    inHistory(({ deliveries }) => ({
      deliveries: deliveries.map((one, at) =>
        at === 2 ? { ...one, content: contentAs(1, "broadcasted") } : one,
      ),
    })),
    [["INV-6", /confirmed of xfr-1 .* delivered with other words/]],
  ],
  [
    "INV-6 an event that everybody is told, of another state than its kind's",
    everywhere(contentAs(1, "broadcasted")),
    [["INV-6", /confirmed \(evt-xfr-1.* shows Broadcasted/]],
  ],
  [
    "INV-6 an event that everybody is told, of another amount",
    everywhere(contentAs(1, "confirmed").replace('"amount":"1"', '"amount":"9"')),
    [["INV-6", /shows another transfer than was asked for/]],
  ],
  [
    "INV-6 an event that everybody is told, of another transaction",
    everywhere(contentAs(1, "confirmed").replace("hash-1", "hash-2")),
    [["INV-6", /shows the transaction hash-2/]],
  ],
  [
    "INV-6 an event that everybody is told, of nothing",
    everywhere('{"transferRequest":{"id":"xfr-1"}}'),
    [["INV-6", /shows no transfer/]],
  ],
  [
    "INV-6 a delivery with a wrong signature",
    inHistory(({ deliveries }) => ({
      deliveries: deliveries.map((one, at) => (at === 0 ? { ...one, isSignedRight: false } : one)),
    })),
    [["INV-6", /with a wrong signature/]],
  ],
];

const AUTHORITY: readonly BrokenCluster[] = [
  [
    "INV-8 what was signed without an authorisation",
    inRow("xfr-1", { authorisation: undefined }),
    [["INV-8", /no authorisation is on record/]],
  ],
  [
    "INV-8 an authorisation that somebody else signed",
    inAuthorisation("xfr-1", { isByAuthority: false }),
    [["INV-8", /not signed by the authority/]],
  ],
  [
    "INV-8 an authorisation of another amount",
    inAuthorisation("xfr-1", { amount: "9" }),
    [
      ["INV-8", /something else than what was asked/],
      ["INV-8", /does not cover what is on the chain/],
    ],
  ],
  [
    "INV-8 a guarded transfer without its approval",
    inDatabase(({ approvals }) => ({
      approvals: approvals.map((one) => (one.id === "ap-3" ? { ...one, votes: [] } : one)),
    })),
    [["INV-8", /without the approval/]],
  ],
  [
    "INV-8 an authorisation that names no approver",
    inAuthorisation("xfr-3", { approvers: [] }),
    [["INV-8", /names no approver/]],
  ],
  [
    "INV-8 an authorisation by another approval",
    inAuthorisation("xfr-3", { approvalId: "ap-4" }),
    [["INV-8", /names another approval than its row/]],
  ],
  [
    "INV-8 a rejection that nobody voted for",
    inDatabase(({ approvals }) => ({
      approvals: approvals.map((one) => (one.id === "ap-4" ? { ...one, votes: [] } : one)),
    })),
    [["INV-8", /rejected without a denial on record/]],
  ],
  [
    "INV-8 a rejection whose approval was granted",
    inDatabase(({ approvals }) => ({
      approvals: approvals.map((one) => (one.id === "ap-4" ? { ...one, status: "Approved" } : one)),
    })),
    [["INV-8", /rejected without a denial on record/]],
  ],
  [
    "INV-11 strangers whom nobody had ask",
    inFacts(() => ({ strangers: [] })),
    [["INV-11", /nobody of another organisation has asked/]],
  ],
  [
    "INV-11 a stranger who is answered",
    inFacts(() => ({ strangers: [{ path: "/wallets/wa-1", status: 200 }] })),
    [["INV-11", /answered 200 by GET \/wallets\/wa-1/]],
  ],
  [
    "INV-11 a request of another organisation at our wallet",
    inRow("xfr-1", { orgId: "or-2" }),
    [["INV-11", /xfr-1 is a request of organisation or-2/]],
  ],
  [
    "INV-11 an event of another organisation",
    inFacts(({ published }) => ({
      published: published.map((one) => (one.id === CONFIRMED ? { ...one, orgId: "or-2" } : one)),
    })),
    [
      ["INV-11", /is of organisation or-2/],
      ["INV-6", /on the bus with other words/],
    ],
  ],
];

describe("the checker", () => {
  findsEach([...EVENTS, ...AUTHORITY]);
});
