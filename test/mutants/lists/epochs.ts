import type { EditedFile } from "../edit.ts";

const SIGNER = "packages/cluster/src/signer";
const keyChange = [
  `${SIGNER}/key-change/key-change.test.ts`,
  `${SIGNER}/key-change/begin-key-change.test.ts`,
];

/** How a signer moves from one epoch to the next. */
export const EPOCH_EDITS: readonly EditedFile[] = [
  {
    path: `${SIGNER}/key-change/begin-key-change.ts`,
    tests: keyChange,
    edits: [
      {
        weakens: "an authorisation is for this kind of change",
        find: 'if (change.kind !== protocol) return fail("AuthorisationInvalid", {}, `It authorises a ${change.kind}.`);',
        put: "",
      },
      {
        weakens: "the threshold is the cluster's",
        find: "change.threshold !== config.threshold || !isSame",
        put: "!isSame",
      },
      {
        weakens: "the parties are the roster",
        find: "change.threshold !== config.threshold || !isSame(change.parties, allParties(config))",
        put: "change.threshold !== config.threshold",
      },
      {
        weakens: "one change of a key at a time",
        find: "isUnderWay || lookUp(state.next, keyId) !== undefined",
        put: "lookUp(state.next, keyId) !== undefined",
      },
      {
        weakens: "no change while a next share is kept",
        find: "isUnderWay || lookUp(state.next, keyId) !== undefined",
        put: "isUnderWay",
      },
      {
        weakens: "a refresh takes a share",
        find: 'if (held.value === undefined) return fail("KeyUnknown");\n    const { key, info }',
        put: 'if (held.value === undefined) throw new Error("none");\n    const { key, info }',
      },
      {
        weakens: "public info is of the key that was authorised",
        find: "given === undefined || !isInfoOf(given, authorised)",
        put: "given === undefined",
      },
      {
        weakens: "public info is that of our share",
        find: "if (bytesToHex(info.digest) !== bytesToHex(given.digest)) {",
        put: "if (info.digest.length !== given.digest.length) {",
      },
      {
        weakens: "dealers hold a share",
        find: "if (!dealers.every((dealer) => info.parties.includes(dealer))) {",
        put: "if (dealers.length === 0) {",
      },
      {
        weakens: "who deals has a share",
        find: 'if (deals && held.value === undefined) return fail("KeyUnknown");',
        put: "",
      },
      {
        weakens: "a pending key is not changed",
        find: 'if (key.state !== "active") return fail("KeyUnknown");',
        put: "",
      },
      {
        weakens: "an epoch that is over is not changed",
        find: 'if (key.epoch > authorised.epoch) return fail("KeyEpochMismatch", { epoch: key.epoch });',
        put: "",
      },
      {
        weakens: "the public key is the one authorised",
        find: "if (bytesToHex(key.publicKey) !== authorised.publicKey) {",
        put: "if (key.publicKey.length === 0) {",
      },
      { weakens: "info is of the key's id", find: "info.keyId === authorised.keyId &&", put: "" },
      { weakens: "info is of the epoch", find: "info.epoch === authorised.epoch &&", put: "" },
      { weakens: "info is of the threshold", find: "info.threshold === authorised.threshold &&", put: "" },
      {
        weakens: "info is of the public key",
        find: "info.threshold === authorised.threshold &&\n  bytesToHex(info.publicKey) === authorised.publicKey",
        put: "info.threshold === authorised.threshold",
      },
      {
        weakens: "exactly t deal",
        find: "members.length === config.threshold && isSame(asked, members)",
        put: "isSame(asked, members)",
      },
      {
        weakens: "dealers are of the roster, ascending",
        find: "members.length === config.threshold && isSame(asked, members)",
        put: "members.length === config.threshold",
      },
    ],
  },
  {
    path: `${SIGNER}/key-change/next-share.ts`,
    tests: [`${SIGNER}/key-change/key-change.test.ts`, "packages/cluster/src/cluster-key-change.test.ts"],
    edits: [
      {
        weakens: "sessions of the old share end",
        find: "return andThen(adopted, (after) => endUses(after, keyId));",
        put: "return adopted;",
      },
      {
        weakens: "a discard names the session that made the shares",
        find: "if (lookUp(state.next, keyId)?.session !== given) return stopped;",
        put: "",
      },
      {
        weakens: "presignatures of the old share are burnt",
        find: "(record) => record.keyId === keyId,",
        put: "(record) => record.keyId !== keyId,",
      },
    ],
  },
  {
    path: `${SIGNER}/key-generation/key-state.ts`,
    tests: keyChange,
    edits: [
      {
        weakens: "an activation names the epoch of the next share",
        find: "next !== undefined && next.epoch === epoch",
        put: "next !== undefined",
      },
      {
        weakens: "a discard of next shares is authorised",
        find: "if (!authorised.ok) return refuse(state, call, authorised.problem);",
        put: 'if (!authorised.ok) return answering(discardNext(state, keyId, ""), call, keyId);',
      },
      {
        weakens: "a discard is for this key",
        find: 'if (permitted !== keyId) return refuse(state, call, problem("AuthorisationInvalid"));',
        put: "",
      },
      {
        weakens: "an active key is not discarded",
        find: 'if (key?.state === "active") {',
        put: "if (key?.epoch === 0) {",
      },
    ],
  },
  {
    path: `${SIGNER}/auxiliary/begin-auxiliary.ts`,
    tests: [`${SIGNER}/signer.test.ts`],
    edits: [
      {
        weakens: "the epoch is an integer",
        find: "!Number.isSafeInteger(epoch) || epoch <= current",
        put: "epoch <= current",
      },
      { weakens: "the epoch is above the current one", find: "|| epoch <= current ||", put: "||" },
      { weakens: "the epoch fits its field", find: "|| epoch > EPOCH_MAX", put: "" },
      {
        weakens: "one auxiliary generation at a time",
        find: 'if ([...state.sessions.values()].some(({ purpose }) => purpose.protocol === "auxiliary")) {',
        put: "if (state.sessions.size > 99) {",
      },
    ],
  },
  {
    path: `${SIGNER}/session/authorise.ts`,
    tests: [...keyChange, `${SIGNER}/signer.test.ts`],
    edits: [
      {
        weakens: "an authorisation is signed by the authority (INV-3)",
        find: "payload.length <= bytesMax && verifyEd25519(signature, payload, config.authorityKey)",
        put: "payload.length <= bytesMax && signature.length > 0",
      },
      {
        weakens: "an authorisation is not too long",
        find: "payload.length <= bytesMax && verifyEd25519",
        put: "verifyEd25519",
      },
      {
        weakens: "an authorisation is not too old",
        find: 'if (!(nowMs < forgetAtMs)) return fail("AuthorisationInvalid", {}, "The authorisation is too old.");',
        put: "",
      },
    ],
  },
];
