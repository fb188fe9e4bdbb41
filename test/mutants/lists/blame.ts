import type { Edit, EditedFile } from "../edit.ts";

const THRESHOLD = "packages/threshold/src";
const BLAME = `${THRESHOLD}/blame`;
/** One session of FROST, with evidence that was tampered with. */
const tampering = [`${BLAME}/tampering.test.ts`];
/** Every mutation of every message of a protocol: each fault must convince a third party, of its culprit alone. */
const mutations = (protocol: string): readonly string[] => [
  `${THRESHOLD}/${protocol}/${protocol}.mutation.test.ts`,
];
const keygen = mutations("keygen");
const auxiliary = mutations("auxiliary");
const frost = mutations("frost");
const presign = mutations("presign");
const refresh = mutations("refresh");
const imports = mutations("import");

/** A check that fails where it should pass: an honest party would be convicted. */
const convicts = (weakens: string, find: string, put: string): Edit => ({ weakens, find, put });

const VERIFY: EditedFile = {
  path: `${BLAME}/verify-fault.ts`,
  tests: tampering,
  edits: [
    {
      weakens: "evidence is of so many messages at most (P13)",
      find: "messages.length > SIGNED_MESSAGES_MAX || bytesOf",
      put: "bytesOf",
    },
    {
      weakens: "evidence is of so many bytes at most (P13)",
      find: " || bytesOf(evidence) > EVIDENCE_BYTES_MAX",
      put: "",
    },
    {
      weakens: "the accused is a party of the session",
      find: 'if (!attempt.parties.includes(accused)) return notShown("the accused was no party of the session");',
      put: "",
    },
    {
      weakens: "the security level is known",
      find: 'if (parameters === undefined) return notShown("the security level is unknown");',
      put: "",
    },
    {
      weakens: "messages are of the session and signed (INV-7)",
      find: "if (isForeign) return notShown",
      put: "if (isForeign && !isForeign) return notShown",
    },
    {
      weakens: "the check that failed is the one that is named",
      find: "protocolFaultsOf(record, check).includes(check)",
      put: "protocolFaultsOf(record, check).length > 0",
    },
    {
      weakens: "what cannot be checked proves nothing",
      find: 'return unproven(error instanceof NotShown ? error.message : "the evidence is malformed");',
      put: 'return { kind: "proven", culprit: accused, check, sentence: `${error}` };',
    },
  ],
};

const RECORD: EditedFile = {
  path: `${BLAME}/signed-record.ts`,
  tests: tampering,
  edits: [
    {
      weakens: "a message of another session is foreign (P11)",
      find: " || !equalBytes(of, session)) return false;",
      put: ") return false;",
    },
    {
      weakens: "a message is signed by its sender (INV-7)",
      find: "return isSignedBy(identity, header, payloadHash, signature);",
      put: "return header.from > 0 && payloadHash.length === 32 && signature.length === 64;",
    },
    {
      weakens: "what the accused never heard says nothing of it (INV-7)",
      find: "party === accused || (hash !== undefined && equalBytes(hash, sha256(found.payload)))",
      put: "party === accused || hash !== undefined",
    },
    {
      weakens: "the accused's own echo is needed",
      find: "if (echo === undefined || !isEnvelope(echo))\n    return notShown(",
      put: "if (echo === undefined || !isEnvelope(echo)) return new Map(messages.filter(isEnvelope).filter((one) => one.round === round && one.kind === ENVELOPE_KIND.broadcast).map((one) => [one.from, sha256(one.payload)]));\n  if (echo.payload.length > 1_000_000) return notShown(",
    },
  ],
};

const ATTEMPT: EditedFile = {
  path: `${BLAME}/attempt.ts`,
  tests: tampering,
  edits: [
    { weakens: "a session is of the id that was given", find: "      given,\n", put: "" },
    {
      weakens: "a session is of its deadline",
      find: "      numberToBytesBE(BigInt(expiresAtMs), TIME_BYTES),\n",
      put: "",
    },
    { weakens: "a session is of its security level", find: "      sha256(utf8ToBytes(level)),\n", put: "" },
    { weakens: "a session is of all that was agreed", find: "      ...agreed,\n", put: "" },
    {
      weakens: "a session is of its protocol",
      find: 'protocol: scheme === "CGGMP24" ? protocol : `${protocol}/${scheme}`,',
      put: 'protocol: scheme === "CGGMP24" ? protocol : scheme,',
    },
    {
      weakens: "a session is of its scheme",
      find: 'protocol: scheme === "CGGMP24" ? protocol : `${protocol}/${scheme}`,',
      put: "protocol,",
    },
    {
      weakens: "parties of an attempt are ascending",
      find: "(isAscending(parties) ? parties : undefined)",
      put: "parties",
    },
  ],
};

const EVIDENCE: EditedFile = {
  path: `${BLAME}/evidence.ts`,
  tests: [...tampering, "packages/threshold/src/blame/large-evidence.test.ts"],
  edits: [
    {
      weakens: "evidence is of a known format",
      find: "(format === FORMAT ? evidence : undefined)",
      put: "(format > 0 ? evidence : undefined)",
    },
    {
      weakens: "evidence has as many messages as it may",
      find: "evidence.messages.length <= SIGNED_MESSAGES_MAX &&",
      put: "",
    },
    {
      weakens: "evidence has as many bytes as it may",
      find: " &&\n  encode(evidenceCodec, evidence).length <= EVIDENCE_BYTES_MAX",
      put: "",
    },
    {
      weakens: "evidence of a wrong proof holds what all opened",
      find: "return needsOpenings ? 2 : 1;",
      put: "return needsOpenings ? 1 : 1;",
    },
    {
      weakens: "evidence of auxiliary generation leaves out the proofs of others",
      find: "return needsOpenings ? 2 : 1;",
      put: "return needsOpenings ? 3 : 1;",
    },
    {
      weakens: "evidence of 64 signers fits",
      find: "EVIDENCE_BYTES_MAX: number = 20 * 1024 * 1024;",
      put: "EVIDENCE_BYTES_MAX: number = 5 * 1024 * 1024;",
    },
  ],
};

const SESSION_FAULTS: EditedFile = {
  path: `${BLAME}/session-faults.ts`,
  tests: [...tampering, "packages/cluster/src/coordinator/accusation.test.ts"],
  edits: [
    {
      weakens: "two messages for one place are of the round that is named",
      find: "of.from !== accused || of.round !== round",
      put: "of.from !== accused",
    },
    convicts(
      "an echo that lists every other party convicts nobody",
      "decoded.value[place]?.party !== party",
      "decoded.value[place]?.party === party",
    ),
    convicts(
      "an echo of what others signed convicts nobody (INV-7)",
      "return !isSignedBy(identity, header(party), claim.payloadHash, claim.signature);",
      "return isSignedBy(identity, header(party), claim.payloadHash, claim.signature);",
    ),
    convicts(
      "a payload of the right length convicts nobody",
      "length <= limit) return",
      "length < limit) return",
    ),
    {
      weakens: "a malformed echo is a fault",
      find: "if (!decoded.ok) return `${at} malformed: ${decoded.reason}`;",
      put: "if (!decoded.ok) return undefined;",
      tests: frost,
    },
    {
      weakens: "an echo that lists others is a fault",
      find: "return `${at} does not list every other party`;",
      put: "return undefined;",
      tests: frost,
    },
    {
      weakens: "an invented claim is a fault",
      find: "return invented === undefined ? undefined :",
      put: "return invented !== undefined ? undefined :",
      tests: frost,
    },
    {
      weakens: "an oversized payload is a fault",
      find: "if (limit === undefined || length <= limit) return undefined;",
      put: "if (limit === undefined || length > 0) return undefined;",
      tests: frost,
    },
  ],
};

const FROST_FAULTS: EditedFile = {
  path: `${BLAME}/signing-faults.ts`,
  tests: tampering,
  edits: [
    {
      weakens: "the message is that of the session",
      find: "equalBytes(sha256(material.message), agreedDigest(attempt))\n      ?",
      put: "material.message.length > 0\n      ?",
    },
    convicts(
      "the right request convicts nobody (INV-7)",
      'if (!equalBytes(request, expected)) return "frost/1 request";',
      'if (equalBytes(request, expected)) return "frost/1 request";',
    ),
    convicts(
      "a good commitment convicts nobody (INV-7)",
      'if (curve.parseCleared(hiding) === undefined) return "frost/1 D',
      'if (curve.parseCleared(hiding) !== undefined) return "frost/1 D',
    ),
    convicts(
      "a right signature share convicts nobody (INV-7)",
      "return isSignatureShare(challenge, accused, publicShare, z.value)\n    ? undefined\n    :",
      "return isSignatureShare(challenge, accused, publicShare, z.value) && false\n    ? undefined\n    :",
    ),
    {
      weakens: "a wrong signature share is a fault",
      find: "return isSignatureShare(challenge, accused, publicShare, z.value)\n    ? undefined\n    :",
      put: "return z.value >= 0n\n    ? undefined\n    :",
    },
    {
      weakens: "another request is a fault",
      find: 'if (!equalBytes(request, expected)) return "frost/1 request";',
      put: "",
      tests: frost,
    },
    {
      weakens: "D that is no point is a fault",
      find: 'if (curve.parseCleared(hiding) === undefined) return "frost/1 D is a point of the group";',
      put: "",
      tests: frost,
    },
    {
      weakens: "E that is no point is a fault",
      find: 'return curve.parseCleared(binding) === undefined ? "frost/1 E',
      put: 'return hiding.length === 0 ? "frost/1 E',
      tests: frost,
    },
    {
      weakens: "a wrong partial signature is a fault",
      find: "return isPartialSignature(Gamma, sigma.value, m, r, publics) ?",
      put: "return sigma.value >= 0n ?",
      tests: [`${BLAME}/testimony.test.ts`],
    },
    {
      weakens: "a right partial signature convicts nobody (INV-7)",
      find: "return isPartialSignature(Gamma, sigma.value, m, r, publics) ?",
      put: "return sigma.value < 0n ?",
      tests: [`${BLAME}/testimony.test.ts`],
    },
    {
      weakens: "testimony is of the presignature that was spent",
      find: "return isSpent ? of :",
      put: "return isSpent || !isSpent ? of :",
      tests: [`${BLAME}/testimony.test.ts`],
    },
    {
      weakens: "testimony is signed by the signers (INV-7)",
      find: "if (!messages.every((message) => isSignedFor(roster, parties, session, message))) {",
      put: "if (!messages.every((message) => isSignedFor(roster, parties, session, message)) && parties.length > 99) {",
      tests: [`${BLAME}/testimony.test.ts`],
    },
  ],
};

const KEY_MATERIAL: EditedFile = {
  path: `${BLAME}/key-material.ts`,
  tests: tampering,
  edits: [
    {
      weakens: "the key is that of the session (INV-7)",
      find: "return isAgreed ? decoded.value :",
      put: "return isAgreed || !isAgreed ? decoded.value :",
    },
  ],
};

const OPENINGS: EditedFile = {
  path: `${BLAME}/openings.ts`,
  tests: keygen,
  edits: [
    {
      weakens: "a malformed commitment is a fault",
      find: "return commitment.ok ? undefined : `${protocol}/1",
      put: "return record.accused > 0 ? undefined : `${protocol}/1",
    },
    {
      weakens: "a malformed opening is a fault",
      find: "if (!opening.ok) return { fault: `${protocol}/2 decoding: ${opening.reason}` };",
      put: "if (!opening.ok) return { opening: undefined };",
    },
    {
      weakens: "another opening is a fault",
      find: "return isOpen ? { opening: opening.value }",
      put: "return isOpen || !isOpen ? { opening: opening.value }",
    },
    convicts(
      "the right opening convicts nobody (INV-7)",
      "return isOpen ? { opening: opening.value }",
      "return !isOpen ? { opening: opening.value }",
    ),
  ],
};

const KEY_GENERATION: EditedFile = {
  path: `${BLAME}/key-generation-faults.ts`,
  tests: keygen,
  edits: [
    {
      weakens: "Πsch that fails is a fault",
      find: 'return isProven ? undefined : "keygen/3 Πsch";',
      put: "return isProven ? undefined : undefined;",
    },
    convicts(
      "Πsch that verifies convicts nobody (INV-7)",
      'return isProven ? undefined : "keygen/3 Πsch";',
      'return isProven ? "keygen/3 Πsch" : "keygen/3 Πsch";',
    ),
    {
      weakens: "another confirmation is a fault",
      find: 'return isSame ? undefined : "keygen/4',
      put: 'return isSame || !isSame ? undefined : "keygen/4',
    },
    convicts(
      "the right confirmation convicts nobody (INV-7)",
      'return isSame ? undefined : "keygen/4',
      'return !isSame && isSame ? undefined : "keygen/4',
    ),
  ],
};

const REDISTRIBUTION: EditedFile = {
  path: `${BLAME}/redistribution-faults.ts`,
  tests: refresh,
  edits: [
    {
      weakens: "Πsch of a new share that fails is a fault",
      find: "return isProven ? undefined : `${name} Πsch`;",
      put: "return isProven ? undefined : undefined;",
    },
    convicts(
      "Πsch of a new share that verifies convicts nobody (INV-7)",
      "return isProven ? undefined : `${name} Πsch`;",
      "return isProven ? `${name} Πsch` : `${name} Πsch`;",
    ),
    {
      weakens: "another confirmation of new shares is a fault",
      find: "return isSame ? undefined : `${name} confirmation",
      put: "return isSame || !isSame ? undefined : `${name} confirmation",
    },
    convicts(
      "the right confirmation of new shares convicts nobody (INV-7)",
      "return isSame ? undefined : `${name} confirmation",
      "return !isSame && isSame ? undefined : `${name} confirmation",
    ),
    {
      weakens: "who does not deal says nothing",
      find: "return nothing.ok ? undefined : `${name} decoding",
      put: "return nothing.ok || !nothing.ok ? undefined : `${name} decoding",
      tests: [`${BLAME}/non-dealer.test.ts`],
    },
  ],
};

const IMPORT: EditedFile = {
  path: `${BLAME}/import-faults.ts`,
  tests: imports,
  edits: [
    {
      weakens: "Πsch of an imported share that fails is a fault",
      find: "return isProven(run, accused, terms, own) ? undefined : name;",
      put: "return run && own && terms ? undefined : name;",
    },
    convicts(
      "Πsch of an imported share that verifies convicts nobody (INV-7)",
      "return isProven(run, accused, terms, own) ? undefined : name;",
      "return run && own && terms ? name : name;",
    ),
  ],
};

const AUXILIARY: EditedFile = {
  path: `${BLAME}/auxiliary-faults.ts`,
  tests: auxiliary,
  edits: [
    {
      weakens: "bad moduli are a fault",
      find: "if (flaw !== undefined) return `aux/2 ${flaw}`;",
      put: "",
    },
    {
      weakens: "Πprm that fails is a fault",
      find: "return flawOfParametersProof(parameters, proven);",
      put: "return proven.prover > 0 ? undefined : flawOfParametersProof(parameters, proven);",
    },
    {
      weakens: "Πfac that fails is a fault",
      find: 'factors.value) ? undefined : "aux/3 Πfac"',
      put: 'factors.value) || true ? undefined : "aux/3 Πfac"',
    },
    {
      weakens: "Πmod that fails is a fault",
      find: "return flawOfModulusProof(parameters, { context, prover: accused, n, proof: modulus.value });",
      put: "return context.session === modulus.value ? `${n}` : undefined;",
    },
  ],
};

const PRESIGNING: EditedFile = {
  path: `${BLAME}/presigning-faults.ts`,
  tests: presign,
  edits: [
    {
      weakens: "Γ that is not the sum is a fault",
      find: 'if (!reveal.value.Gamma.equals(Gamma)) return "presign/3 Γ";',
      put: "",
    },
    {
      weakens: "Πelog of Δ that fails is a fault",
      find: "return verifyElGamalLog(context, statement, reveal.value.proof) ?",
      put: "return context && statement ?",
    },
    convicts(
      "Πelog of Δ that verifies convicts nobody (INV-7)",
      "return verifyElGamalLog(context, statement, reveal.value.proof) ?",
      "return context === statement ?",
    ),
  ],
};

/** Every judge of evidence, and what it takes for evidence. */
export const BLAME_EDITS: readonly EditedFile[] = [
  VERIFY,
  RECORD,
  ATTEMPT,
  EVIDENCE,
  SESSION_FAULTS,
  FROST_FAULTS,
  KEY_MATERIAL,
  OPENINGS,
  KEY_GENERATION,
  REDISTRIBUTION,
  IMPORT,
  AUXILIARY,
  PRESIGNING,
];
