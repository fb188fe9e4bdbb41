import { type KeyObject, randomBytes } from "node:crypto";
import { MESSAGE_ATTEMPT_MS } from "@conclave/cluster";
import {
  type AuthorisedKey,
  allowWithoutPolicies,
  authorisedKeySchema,
  authorisedMessageSchema,
  keyIdSchema,
  signatureIdSchema,
} from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { loadRoster } from "@conclave/platform/config";
import type { Cluster } from "@conclave/testbed";
import { loadAuthorityKey } from "@conclave/testbed/authority-key";
import { verifyEd25519 } from "@conclave/threshold";
import { signAuthorisation } from "../../operator/credentials.ts";
import type { Figure } from "../figure.ts";
import { runSession } from "../last-word.ts";
import type { Report } from "../progress.ts";
import { keepBusy } from "../sampling.ts";
import { quantile } from "../statistics.ts";
import type { BenchedLink, SignerLinks } from "./signer-links.ts";
import { cpuOf } from "./signing-figures.ts";

/**
 * A typical length of a transaction. The message is text, because random bytes may parse as a chain's transaction, and
 * signers do not sign a transaction as a message.
 */
const MESSAGE_BYTES = 200;
const IN_FLIGHT = 8;
/** V8 compiles the code during these; until then, a signature takes a signer 1.5 times as long */
const WARM_UP = { ms: 15_000, count: 600 } as const;
const MEASURED_MS = 6_000;
const KEY_SESSION_MS = 30_000;
/** DESIGN.md: 50 Ed25519 signatures a second */
const BUDGET_MS = 20;

/** A key that the signers hold, with the public key that verifies its signatures. */
type MadeKey = Pick<AuthorisedKey, "orgId" | "keyId"> & { readonly publicKey: Uint8Array };

const makeKey = async (cluster: Cluster, links: SignerLinks, authority: KeyObject): Promise<MadeKey> => {
  const dateRequested = new Date().toISOString();
  const key = authorisedKeySchema.parse({
    version: 1,
    kind: "key",
    orgId: cluster.description.developer.orgId,
    keyId: freshId(keyIdSchema, "key"),
    curve: "ed25519",
    scheme: "FROST-Ed25519",
    threshold: cluster.description.threshold,
    policy: allowWithoutPolicies(dateRequested),
    dateRequested,
  });
  const command = {
    kind: "key-generation",
    authorisation: signAuthorisation(authority, key),
    expiresAtMs: Date.now() + KEY_SESSION_MS,
  } as const;
  const [made] = await runSession(links.all, command, (word) => word.kind === "key");
  if (made === undefined) throw new Error("no signer made the key");
  for (const { id, client } of links.all) {
    const state = await client.activateKey(key.keyId);
    if (!state.ok || state.value.state !== "active") throw new Error(`${id} did not activate the key`);
  }
  return { orgId: key.orgId, keyId: key.keyId, publicKey: made.publicKey };
};

/** Has the quorum sign a unique message, and verifies the signature. */
const signMessage = async (
  { orgId, keyId, publicKey }: MadeKey,
  quorum: readonly BenchedLink[],
  authority: KeyObject,
): Promise<void> => {
  const message = Buffer.from(randomBytes(MESSAGE_BYTES / 2).toString("hex"));
  const dateRequested = new Date().toISOString();
  const authorised = authorisedMessageSchema.parse({
    version: 1,
    kind: "message",
    requestId: freshId(signatureIdSchema, "sig"),
    orgId,
    keyId,
    scheme: "FROST-Ed25519",
    message: message.toString("hex"),
    policy: allowWithoutPolicies(dateRequested),
    dateRequested,
  });
  const command = {
    kind: "signing",
    quorum: quorum.map(({ index }) => index),
    keyId,
    authorisation: signAuthorisation(authority, authorised),
    unsigned: new Uint8Array(0),
    presignatures: [],
    dead: undefined,
    expiresAtMs: Date.now() + MESSAGE_ATTEMPT_MS,
  } as const;
  const [word] = await runSession(quorum, command, (last) => last.kind === "signed");
  const [signature] = word?.signatures ?? [];
  if (signature?.scheme !== "FROST-Ed25519" || !verifyEd25519(signature.bytes, message, publicKey))
    throw new Error("a signature of a message does not verify");
};

/** Measures Ed25519 signatures of messages, requested from one quorum over Control, several at a time. */
export const messageFigures = async (
  cluster: Cluster,
  links: SignerLinks,
  report: Report,
): Promise<readonly Figure[]> => {
  const authority = await loadAuthorityKey(cluster.layout, await loadRoster(cluster.layout.roster));
  const key = await makeKey(cluster, links, authority);
  const quorum = links.all.slice(0, cluster.description.threshold);
  const ids = quorum.map(({ id }) => id);
  const work = () => signMessage(key, quorum, authority);
  await keepBusy(work, IN_FLIGHT, WARM_UP);
  const before = await cpuOf(links, ids);
  const { taken, ms } = await keepBusy(work, IN_FLIGHT, { ms: MEASURED_MS, count: Number.POSITIVE_INFINITY });
  const cpuMs = ((await cpuOf(links, ids)) - before) / taken.length / quorum.length;
  report(`Ed25519 signatures: ${taken.length} taken`);
  const each = ms / taken.length;
  return [
    {
      name: "message.each",
      unit: "ms",
      label: "Ed25519 signatures of a cluster at work, time for each",
      value: each,
      budget: BUDGET_MS,
      note: `${(1000 / each).toFixed(0)} signatures a second by ${ids.join(", ")}, ${IN_FLIGHT} at a time over Control`,
    },
    { name: "message.p50", unit: "ms", label: "Ed25519 signature, p50", value: quantile(taken, 0.5) },
    { name: "message.p99", unit: "ms", label: "Ed25519 signature, p99", value: quantile(taken, 0.99) },
    {
      name: "message.cpu",
      unit: "ms",
      label: "CPU of one signer for one of them",
      value: cpuMs,
      note: "the whole process: authorisation, two rounds with echo, gRPC",
    },
  ];
};
