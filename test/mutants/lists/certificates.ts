import type { EditedFile } from "../edit.ts";

const CLUSTER = "packages/cluster/src";
const SIGNER = `${CLUSTER}/signer`;
const keyChange = [`${SIGNER}/key-change/key-change.test.ts`];
const auxiliary = [`${SIGNER}/auxiliary/auxiliary.test.ts`];
const discard = [`${SIGNER}/epoch/discard-epoch.test.ts`];

const CERTIFICATE: EditedFile = {
  path: `${CLUSTER}/control/epoch-certificate.ts`,
  tests: [`${CLUSTER}/control/epoch-certificate.test.ts`, ...keyChange],
  edits: [
    {
      weakens: "a receipt is signed by its signer",
      find: "return verifyEd25519(signature, receiptBytes(roster, signer, transition), identity);",
      put: "return signature.length > 0;",
    },
    ...[
      ["cluster", "      cluster: clusterOf(roster),\n"],
      ["signer", "      signer,\n      subject,"],
      ["subject", "      subject,\n      from,"],
      ["start", "      from,\n      to,"],
      ["epoch", "      to,\n      digest"],
      ["digest", "      digest: bytesToHex(digest),\n"],
      ["session", "      session: bytesToHex(session),\n"],
    ].map(([name = "", find = ""]) => ({
      weakens: `a receipt is for one ${name}`,
      find,
      put: find.includes(",\n      ") ? find.slice(find.indexOf("\n") + 1) : "",
    })),
    {
      weakens: "a certificate has the receipt of every signer",
      find: "String(set) === String(holders)",
      put: "set.length >= holders.length",
    },
    {
      weakens: "a receipt names the signers that got a part",
      find: "...(isWhole(roster, holders) ? {} : { holders }),",
      put: "",
      tests: [`${CLUSTER}/cluster-roster-change-epochs.test.ts`],
    },
    {
      weakens: "all receipts of a certificate are verified",
      find: "isReceiptOf(identities, signer, certificate, signature),",
      put: "identities.has(signer) && signature.length === SIGNATURE_BYTES,",
    },
    {
      weakens: "a certificate goes to a later epoch",
      find: " || value.from >= value.to",
      put: "",
    },
    {
      weakens: "a certificate is not made without all receipts",
      find: "return given.length === needed.length\n",
      put: "return given.length > 0\n",
      tests: [`${CLUSTER}/coordinator/key-change/key-change.test.ts`, ...keyChange],
    },
  ],
};

const RENEWALS: EditedFile = {
  path: "packages/platform/src/config/roster-history.ts",
  tests: ["packages/platform/src/config/roster-history.test.ts"],
  edits: [
    {
      weakens: "the authority signed each renewal of an identity",
      find: "return verifyEd25519(bytes(signature), signed, authority);",
      put: "return signature.length > 0 && authority.length > 0 && signed.length > 0;",
    },
    {
      weakens: "no identity is given twice",
      find: "if ([identities, indices].some(",
      put: "if ([indices].some(",
    },
    {
      weakens: "the identities of a time are those before a renewal and after the one before it",
      find: "time = before(time, event);",
      put: "time = before(times[0] ?? time, event);",
    },
    {
      weakens: "a signer whose identity was renewed remembers nothing of before",
      find: "today.get(index) !== identityKey;",
      put: "today.get(index) === undefined && identityKey !== undefined;",
      tests: ["packages/platform/src/config/attesting-clusters.test.ts"],
    },
    {
      weakens: "keys that a long change has not moved yet sign by the threshold of before",
      find: '(event.kind === "renewal" ? since.thisMs : since.anyMs)',
      put: "since.thisMs",
      tests: ["packages/orchestrator/src/coordinators.test.ts"],
    },
    {
      weakens: "a renewal is signed with the identities of its time",
      find: "clusterOf(identitiesAt(time))",
      put: "clusterOf(identitiesAt(to))",
    },
  ],
};

const CERTIFIED: EditedFile = {
  path: `${CLUSTER}/coordinator/certified.ts`,
  tests: [`${CLUSTER}/coordinator/certified.test.ts`],
  edits: [
    {
      weakens: "a signer that was left behind shows its receipt, by the identities of today too",
      find: "[roster, certified.by].some(",
      put: "[certified.by].some(",
    },
  ],
};

const SWITCH: EditedFile = {
  path: `${SIGNER}/epoch/switch-epoch.ts`,
  tests: keyChange,
  edits: [
    {
      weakens: "a certificate is of the epoch that waits",
      find: "certificate.to === pending.epoch &&",
      put: "",
    },
    {
      weakens: "a certificate is of the epoch from which it starts",
      find: "certificate.from === pending.from &&",
      put: "",
    },
    {
      weakens: "a certificate is of the session that made the share",
      find: "bytesToHex(certificate.session) === pending.session &&",
      put: "",
    },
    {
      weakens: "a certificate is of the digest of what waits",
      find: " &&\n  bytesToHex(certificate.digest) === bytesToHex(pending.digest);",
      put: ";",
    },
    {
      weakens: "an earlier certificate changes nothing",
      find: "if (to <= active) return gone(unchanged(state), active);",
      put: "",
    },
    {
      weakens: "a certificate is read before it is believed",
      find: 'problem("EpochCertificateInvalid")',
      put: 'problem("EpochLacking")',
    },
    {
      weakens: "a certificate counts where this signer has the identity of its time still",
      find: "if (certificate === undefined || !isOwn(state, certificate)) {",
      put: "if (certificate === undefined) {",
      tests: [`${CLUSTER}/cluster-epochs.test.ts`],
    },
    {
      weakens: "the auxiliary information is not switched to another digest",
      find: "state.pendingAuxiliary.find((each) => isOf(certificate, each))",
      put: "state.pendingAuxiliary.find((each) => each.epoch === certificate.to)",
      tests: auxiliary,
    },
  ],
};

const NUMBERS: EditedFile = {
  path: `${SIGNER}/epoch/numbers.ts`,
  tests: [`${SIGNER}/epoch/numbers.test.ts`, ...auxiliary, ...keyChange],
  edits: [
    {
      weakens: "a signer keeps so many pending epochs (P13)",
      find: "pending.length >= pendingMax",
      put: "pending.length < 0",
    },
    {
      weakens: "a new epoch is above all that wait",
      find: "Math.max(active, ...pending)",
      put: "Math.max(active, pending.length * 0)",
    },
    {
      weakens: "a new epoch is above the active one",
      find: "Math.max(active, ...pending)",
      put: "Math.max(0, ...pending)",
    },
    {
      weakens: "a new epoch is not far ahead",
      find: " && to <= active + EPOCHS_AHEAD_MAX;",
      put: ";",
    },
  ],
};

const DISCARD: EditedFile = {
  path: `${SIGNER}/epoch/discard-epoch.ts`,
  tests: discard,
  edits: [
    {
      weakens: "the authority has an attempt waived (INV-8)",
      find: "if (!authorised.ok) return refuse(state, call, authorised.problem);",
      put: "if (!authorised.ok) return waive(state, event, { subject: AUXILIARY_SUBJECT, session: event.call }, true);",
    },
    {
      weakens: "what is active is not discarded",
      find: 'if (mayBeActive(state, unwanted)) return refuse(state, call, problem("EpochReceipted", { subject }));',
      put: "",
    },
    {
      weakens: "a signer keeps so many waivers (P13)",
      find: 'if (isFull) return refuse(state, call, problem("TooManySessions"));',
      put: "",
    },
    {
      weakens: "a held share takes the waivers of t",
      find: "if (waiversOf(config.roster, parties, unwanted, waivers) < threshold) {",
      put: "if (waiversOf(config.roster, parties, unwanted, waivers) < 1) {",
    },
    {
      weakens: "t waive, and not one less",
      find: "waiversOf(config.roster, parties, unwanted, waivers) < threshold",
      put: "waiversOf(config.roster, parties, unwanted, waivers) < threshold - 1",
    },
    {
      weakens: "who gave a receipt waives nothing, ever",
      find: "const note = noteOf(subject, false);",
      put: "const note = noteOf(subject, true);",
    },
    {
      weakens: "a waiver is durable before it is said",
      find: "    effects: [write],\n",
      put: "    effects: write.kind === undefined ? [write] : [],\n",
    },
    {
      weakens: "a waived session ends",
      find: "return session === undefined\n    ? unchanged(state)",
      put: "return session === undefined || session.given !== given || true\n    ? unchanged(state)",
    },
    {
      weakens: "only the session that is waived ends",
      find: "return its === given && isOf;",
      put: "return its !== given && isOf;",
    },
    {
      weakens: "what t waive is erased from the disk",
      find: 'effects: [{ kind: "batch", puts, erases, sync: true }],\n  };\n};',
      put: 'effects: [{ kind: "batch", puts, erases: erases.slice(erases.length), sync: true }],\n  };\n};',
    },
  ],
};

const WAIVER: EditedFile = {
  path: `${CLUSTER}/control/epoch-waiver.ts`,
  tests: [`${CLUSTER}/control/epoch-waiver.test.ts`, ...discard],
  edits: [
    {
      weakens: "a waiver is signed by its signer",
      find: "verifyEd25519(signature, waiverBytes(roster, index, unwanted), identity)",
      put: "signature.length === 64 && identity.length === 32",
    },
    {
      weakens: "a waiver counts for its signer",
      find: "signer === index && verifyEd25519",
      put: "verifyEd25519",
    },
    {
      weakens: "each signer counts once",
      find: "  ).length;",
      put: "  ).length * waivers.length;",
    },
    { weakens: "a waiver is for one subject", find: "      subject,\n      session,", put: "      session," },
    { weakens: "a waiver is for one session", find: "      subject,\n      session,", put: "      subject," },
    {
      weakens: "waivers are looked at up to a number (P13)",
      find: ".slice(0, roster.size)",
      put: ".slice(0)",
    },
  ],
};

const SPENDING: EditedFile = {
  path: `${SIGNER}/older-store/signed-count.ts`,
  tests: [`${SIGNER}/older-store/signed-count.test.ts`, `${SIGNER}/older-store/spending-lies.test.ts`],
  edits: [
    {
      weakens: "a count is signed by the signer whose it is (P6)",
      find: "identity !== undefined && verifyEd25519(signature, spendingCountBytes(clusterId, signer, count), identity)",
      put: "identity !== undefined && signature.length === 64",
    },
    {
      weakens: "a count is of one cluster",
      find: "[DOMAIN, clusterId, signer, count]",
      put: "[DOMAIN, signer, count]",
    },
    {
      weakens: "a count is of one signer",
      find: "[DOMAIN, clusterId, signer, count]",
      put: "[DOMAIN, clusterId, count]",
    },
    {
      weakens: "the count itself is signed",
      find: "[DOMAIN, clusterId, signer, count]",
      put: "[DOMAIN, clusterId, signer]",
    },
    {
      weakens: "a count has its own domain",
      find: "[DOMAIN, clusterId, signer, count]",
      put: "[clusterId, signer, count]",
    },
  ],
};

const ENVELOPES: EditedFile = {
  path: `${SIGNER}/key-import/taken-envelopes.ts`,
  tests: [`${SIGNER}/key-import/taken-envelopes.test.ts`],
  edits: [
    {
      weakens: "an envelope serves one key id (INV-11)",
      find: "other !== undefined && other !== keyId",
      put: "other === undefined && other !== keyId && keyId === undefined",
    },
    {
      weakens: "the same key id may try again",
      find: "other !== undefined && other !== keyId",
      put: "other !== undefined",
    },
    {
      weakens: "an envelope is known by its ephemeral key",
      find: "ephemeralKey === undefined ? [digest] : [digest, ephemeralKey]",
      put: "ephemeralKey === undefined ? [digest] : [digest]",
    },
    {
      weakens: "an envelope without ephemeral key is known by its bytes",
      find: "ephemeralKey === undefined ? [digest] : [digest, ephemeralKey]",
      put: "ephemeralKey === undefined ? [] : [digest, ephemeralKey]",
    },
    {
      weakens: "a signer remembers so many envelopes (P13)",
      find: "isNew && envelopes.size >= NAMES_PER_ENVELOPE * IMPORT_ENVELOPES_REMEMBERED_MAX",
      put: "isNew && envelopes.size < 0",
    },
    {
      weakens: "a full memory still takes what it knows",
      find: "isNew && envelopes.size >=",
      put: "envelopes.size >=",
    },
    {
      weakens: "the record names the ephemeral key",
      find: "const key = ephemeralKey === undefined ? {} : { ephemeralKey };",
      put: "const key = {};",
    },
  ],
};

const RECALLED_ENVELOPES: EditedFile = {
  path: `${SIGNER}/records/recall.ts`,
  tests: [`${SIGNER}/key-import/taken-envelopes.test.ts`],
  edits: [
    {
      weakens: "what was taken is recalled at a start",
      find: "envelopeNames({ digest: envelope, ephemeralKey })) ",
      put: "envelopeNames({ digest: envelope, ephemeralKey }).slice(2)) ",
    },
  ],
};

const UNWRITTEN: EditedFile = {
  path: `${SIGNER}/records/unwritten.ts`,
  tests: [`${SIGNER}/records/unwritten.test.ts`],
  edits: [
    {
      weakens: "a write that waits is seen",
      find: "write === undefined ? this.#stored.read(record) : write.value",
      put: "this.#stored.read(record) ?? write?.value",
    },
    {
      weakens: "an earlier write that is done takes no later one away",
      find: "if (this.#writes.get(record)?.by === effect) this",
      put: "this",
    },
  ],
};

const FORGOTTEN: EditedFile = {
  path: `${SIGNER}/signing/understand.ts`,
  tests: [`${SIGNER}/session/expiry.test.ts`],
  edits: [
    {
      weakens: "a request that may have been forgotten is not signed (INV-4)",
      find: "if (forgotten !== undefined) return { ok: false, problem: forgotten };",
      put: "",
    },
  ],
};

const FORGETTING: EditedFile = {
  path: "packages/platform/src/vault/vault.ts",
  tests: [
    "packages/platform/src/vault/deadlines.test.ts",
    "packages/platform/src/vault/failed-write.test.ts",
  ],
  edits: [
    {
      weakens: "what is forgotten is still due when it is removed (INV-4)",
      find: "const done = this.#turn.then(() => this.#unlessFailed(change));",
      put: "const done = this.#unlessFailed(change);",
    },
    {
      weakens: "nothing is written after a write that failed (INV-2)",
      find: "if (this.#failed !== undefined)",
      put: "if (false)",
    },
  ],
};

const OWN_KEYS: EditedFile = {
  path: "packages/platform/src/vault/own-keys.ts",
  tests: [
    "packages/platform/src/vault/own-keys.test.ts",
    "packages/platform/src/vault/epoch-secrets.test.ts",
  ],
  edits: [
    {
      weakens: "a file of keys of another day is refused, and destroys nothing",
      find: 'if (fate === "strange") strange.add(file);',
      put: "",
    },
    {
      weakens: "a start destroys the keys that an interrupted change left",
      find: 'if (fate !== "settled") unsettled.add(file);',
      put: "",
    },
    {
      weakens: "the key of what a record held before is destroyed",
      find: ".filter(([group]) => !groups.has(group))",
      put: "",
    },
  ],
};

/** Receipts, certificates and waivers of epochs, and what else a signer takes on a signature or takes once. */
export const CERTIFICATE_EDITS: readonly EditedFile[] = [
  CERTIFICATE,
  RENEWALS,
  CERTIFIED,
  SWITCH,
  NUMBERS,
  DISCARD,
  WAIVER,
  SPENDING,
  ENVELOPES,
  RECALLED_ENVELOPES,
  UNWRITTEN,
  FORGOTTEN,
  FORGETTING,
  OWN_KEYS,
];
