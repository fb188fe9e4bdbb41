import type { EditedFile } from "../edit.ts";

const SIGNER = "packages/cluster/src/signer";
const keyChange = [
  `${SIGNER}/key-change/key-change.test.ts`,
  `${SIGNER}/key-change/begin-key-change.test.ts`,
];

const AGES = [
  `${SIGNER}/session/authorise.test.ts`,
  "packages/cluster/src/cluster-authorisation-age.test.ts",
];

/** How a signer begins the way from one epoch to the next, and what it believes of the authority. */
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
        find: "change.threshold !== config.threshold || !isSame(change.parties, keyHolders(config.roster))",
        put: "change.threshold !== config.threshold",
      },
      {
        weakens: "one change of a key at a time",
        find: 'if (isUnderWay) return fail("KeyChangePending");',
        put: "",
      },
      {
        weakens: "pending epochs of the key count",
        find: "whyNotMake(nextEpoch, epoch, pending, PENDING_EPOCHS_MAX)",
        put: "whyNotMake(nextEpoch, epoch, pending.slice(pending.length), PENDING_EPOCHS_MAX)",
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
        find: "asked.includes(index) && parties.includes(index)",
        put: "asked.includes(index)",
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
      {
        weakens: "info is of the public key",
        find: "info.epoch === authorised.epoch &&\n  bytesToHex(info.publicKey) === authorised.publicKey",
        put: "info.epoch === authorised.epoch",
      },
      {
        weakens: "exactly t deal",
        find: "members.length === threshold && isSame(asked, members)",
        put: "isSame(asked, members)",
      },
      {
        weakens: "dealers are of the roster, ascending",
        find: "members.length === threshold && isSame(asked, members)",
        put: "members.length === threshold",
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
        weakens: "a discard names the session that makes the shares",
        find: "open.given === given && isKeyChange(open.purpose)",
        put: "isKeyChange(open.purpose)",
      },
      {
        weakens: "presignatures of the old share are burnt",
        find: "(presignature) => presignature.keyId === keyId",
        put: "(presignature) => presignature.keyId !== keyId",
      },
    ],
  },
  {
    path: `${SIGNER}/key-generation/key-state.ts`,
    tests: [`${SIGNER}/key-generation/key-state.test.ts`, ...keyChange, `${SIGNER}/signer.test.ts`],
    edits: [
      {
        weakens: "a share of a next epoch takes a certificate",
        find: 'return refuse(state, call, problem("EpochUncertified", { keyId }));',
        put: "void 0;",
      },
      {
        weakens: "an activation names the epoch of the share",
        find: "epoch === undefined || key?.epoch === epoch",
        put: "true",
      },
      {
        weakens: "next shares that gave a receipt are not discarded",
        find: "if (sharesPending(state, keyId).some((share) => share.session === session)) {",
        put: "if (state.sessions.size > 99) {",
      },
      {
        weakens: "a discard of next shares is authorised",
        find: "if (!authorised.ok) return refuse(state, call, authorised.problem);",
        put: 'if (!authorised.ok) return answering(stopChange(state, keyId, ""), call, keyId);',
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
    tests: [`${SIGNER}/auxiliary/auxiliary.test.ts`, `${SIGNER}/signer.test.ts`],
    edits: [
      {
        weakens: "the first epoch is an integer",
        find: "Number.isSafeInteger(epoch) && epoch > 0 &&",
        put: "epoch > 0 &&",
      },
      { weakens: "the first epoch is above 0", find: "&& epoch > 0 &&", put: "&&" },
      { weakens: "the first epoch is a low number", find: "&& epoch <= FIRST_EPOCH_MAX;", put: ";" },
      {
        weakens: "to replace what is there takes the authority",
        find: "if (auxiliary !== undefined) {",
        put: "if (auxiliary?.epoch === 0) {",
      },
      {
        weakens: "an authorisation of another epoch is none",
        find: 'if (to !== asked) return problem("AuthorisationInvalid", {}, "The authorisation is for another epoch.");',
        put: "",
      },
      {
        weakens: "auxiliary information is for the whole roster",
        find: "if (!isRoster) return",
        put: "if (!isRoster && isRoster) return",
      },
      {
        weakens: "auxiliary information is for nobody else",
        find: "parties.length === roster.length && ",
        put: "",
      },
      {
        weakens: "what is replaced is not over",
        find: "return active > from\n",
        put: "return active < 0 * from\n",
      },
      {
        weakens: "pending epochs of the auxiliary information count",
        find: "whyNotNumber(to, active, pending)",
        put: "whyNotNumber(to, active, pending.slice(pending.length))",
      },
      {
        weakens: "one auxiliary generation at a time",
        find: 'if ([...state.sessions.values()].some(({ purpose }) => purpose.protocol === "auxiliary")) {',
        put: "if (state.sessions.size > 99) {",
      },
    ],
  },
  {
    path: `${SIGNER}/session/authorise.ts`,
    tests: [`${SIGNER}/session/authorise.test.ts`, ...keyChange, `${SIGNER}/signer.test.ts`],
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
        find: 'if (signedAtMs >= forgetAtMs) return fail("AuthorisationInvalid", {}, TOO_OLD);',
        put: "",
      },
      {
        weakens: "the authority signed a while ago, and nobody renewed it",
        find: "if (!(nowMs < Math.min(lapsesAtMs, forgetAtMs)))",
        put: "if (!(nowMs < forgetAtMs))",
        tests: AGES,
      },
      {
        weakens: "a request is over by this clock, too",
        find: "if (!(nowMs < Math.min(lapsesAtMs, forgetAtMs)))",
        put: "if (!(nowMs < lapsesAtMs))",
      },
      {
        weakens: "a clock alone ends no request for good (INV-5)",
        find: "if (signedAtMs >= forgetAtMs)",
        put: "if (!(nowMs < forgetAtMs))",
      },
      {
        weakens: "the request is not of the future",
        find: "Math.max(requestedAtMs, signedAtMs) > nowMs",
        put: "signedAtMs > nowMs",
        tests: AGES,
      },
      {
        weakens: "the authority's date is not of the future",
        find: "Math.max(requestedAtMs, signedAtMs) > nowMs",
        put: "requestedAtMs > nowMs",
        tests: AGES,
      },
      {
        weakens: "an old request is not renewed by a new signature (INV-4)",
        find: "const forgetAtMs = requestedAtMs + requestMsMax;",
        put: "const forgetAtMs = authorisedAtMs(parsed.data) + requestMsMax;",
        tests: AGES,
      },
      {
        weakens: "the authority's own date counts (INV-5)",
        find: "const signedAtMs = authorisedAtMs(parsed.data);",
        put: "const signedAtMs = requestedAtMs;",
        tests: AGES,
      },
      {
        weakens: "dates of the dead are those of a request",
        find: "deadTransactionsSchema, nowMs, { signedMsMax: REQUEST_AGE_MS_MAX }",
        put: "deadTransactionsSchema, nowMs",
        tests: [`${SIGNER}/signing/dead-transactions.test.ts`, ...AGES],
      },
    ],
  },
];
