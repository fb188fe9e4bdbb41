import type { EditedFile } from "../edit.ts";

const SESSION = "packages/threshold/src/session";

const ADMISSION: EditedFile = {
  path: `${SESSION}/admission.ts`,
  tests: [`${SESSION}/session.test.ts`, `${SESSION}/any-bytes.test.ts`, `${SESSION}/echo.test.ts`],
  edits: [
    {
      weakens: "a round that takes no broadcast gets none",
      find: 'expects.broadcast === "none" ? undefined : expects.payloadBytesMax',
      put: "expects.payloadBytesMax",
    },
    {
      weakens: "a round that takes no direct message gets none",
      find: 'if (expects.direct === "none") return undefined;',
      put: "",
    },
    {
      weakens: "a round without echo takes no echo",
      find: 'expects.broadcast === "echo" ? echoBytes(config) : undefined',
      put: "echoBytes(config)",
    },
    {
      weakens: "a sealed message may be longer by its seal",
      find: "expects.payloadBytesMax + SEAL_BYTES",
      put: "expects.payloadBytesMax",
    },
    {
      weakens: "early messages of a kind that the round does not take are dropped",
      find: "if (limit === undefined) kept.delete(slot);\n    else if (received",
      put: "if (limit !== undefined && received",
    },
    {
      weakens: "an early message that is too long is a fault",
      find: "else if (received.envelope.payload.length > limit) {",
      put: "else if (received.envelope.payload.length > limit + PAYLOAD_BYTES_MAX) {",
    },
    {
      weakens: "envelopes of another session are foreign (P11)",
      find: 'if (!equalBytes(envelope.session, config.session)) return "foreign";',
      put: "",
    },
    {
      weakens: "our own envelopes are foreign",
      find: "from === undefined || from === config.self",
      put: "from === undefined",
    },
    {
      weakens: "kinds are known",
      find: 'if (kind === undefined) return "unexpected";',
      put: "if (kind === undefined) return { from, kind: ENVELOPE_KIND.broadcast };",
    },
    {
      weakens: "a message is for us",
      find: 'if (!isAddressed(config, kind, envelope.to)) return "misaddressed";',
      put: "",
    },
    {
      weakens: "a message of a round that is over is stale",
      find: 'if (!(envelope.round >= round.number)) return "stale";',
      put: "",
    },
    {
      weakens: "messages of far rounds are not kept",
      find: 'if (envelope.round > round.number + ROUNDS_AHEAD_MAX) return "overfull";',
      put: "",
    },
    {
      weakens: "no payload is longer than any round's",
      find: 'if (envelope.payload.length > PAYLOAD_BYTES_MAX) return "overfull";',
      put: "",
    },
    {
      weakens: "the same message twice is a duplicate",
      find: "known !== undefined && isSamePayload(known.envelope, envelope)",
      put: "false",
    },
    {
      weakens: "a second, different message is no duplicate (P12)",
      find: "known !== undefined && isSamePayload(known.envelope, envelope)",
      put: "known !== undefined",
    },
    {
      weakens: "a message of a kind that the round does not take is ignored",
      find: 'if (limit === undefined) return ignored("unexpected");',
      put: 'if (limit === undefined) return { kind: "kept", mailbox };',
    },
    {
      weakens: "early bytes of a peer are bounded (P13)",
      find: "known === undefined && held > EARLY_BYTES_PER_PEER_MAX",
      put: "false",
    },
    {
      weakens: "an envelope is signed by its sender (INV-7)",
      find: 'return ignored("unsigned");\n  }',
      put: "void 0;\n  }",
    },
    {
      weakens: "two different messages are a fault (P12)",
      find: 'if (known !== undefined) return { kind: "fault", fault: equivocation(known, received) };',
      put: 'if (known !== undefined) return ignored("duplicate");',
    },
    {
      weakens: "a message that is too long is a fault",
      find: 'if (envelope.payload.length > limit) return { kind: "fault", fault: oversize(received, limit) };',
      put: "",
    },
    {
      weakens: "equivocation shows both messages",
      find: "messages: [first.envelope, second.envelope]",
      put: "messages: [first.envelope]",
    },
  ],
};

const ECHO: EditedFile = {
  path: `${SESSION}/echo.ts`,
  tests: [`${SESSION}/echo.test.ts`, `${SESSION}/session.test.ts`],
  edits: [
    {
      weakens: "an echo that does not decode is a fault",
      find: "if (!decoded.ok) return lies(`malformed: ${decoded.reason}`);",
      put: "if (!decoded.ok) return undefined;",
    },
    {
      weakens: "an echo lists every other party",
      find: 'if (named.some((party, at) => claims[at]?.party !== party)) return lies("does not list every other party");',
      put: "",
    },
    {
      weakens: "claims are compared with what we received",
      find: "const isSameHash = equalBytes(claim.payloadHash, known.payloadHash);",
      put: "const isSameHash = true;",
    },
    {
      weakens: "a claim that its party did not sign convicts the echo's sender",
      find: "return lies(`claims a message that party ${party} did not sign`);",
      put: "continue;",
    },
    {
      weakens: "a claim that its party did not sign convicts nobody else (INV-7)",
      find: "if (!isSignedBy(identityOf(config, party), header, claim.payloadHash, claim.signature)) {",
      put: "if (claim.signature.length !== 64) {",
    },
    {
      weakens: "a second signature on the same content is no fault",
      find: "if (isSameHash) continue;",
      put: "",
    },
    {
      weakens: "equivocation names its signer",
      find: "culprit: party,\n      check: `round ${round}: different",
      put: "culprit: echo.from,\n      check: `round ${round}: different",
    },
    {
      weakens: "claims are sorted by party",
      find: ".sort((a, b) => a.from - b.from)",
      put: ".sort((a, b) => b.from - a.from)",
    },
    {
      weakens: "an echo is signed for its round and kind",
      find: "kind: ENVELOPE_KIND.broadcast,\n      from: party",
      put: "kind: ENVELOPE_KIND.direct,\n      from: party",
    },
  ],
};

const SEAL: EditedFile = {
  path: `${SESSION}/seal.ts`,
  tests: [`${SESSION}/seal.test.ts`, `${SESSION}/seal-vectors.test.ts`],
  edits: [
    {
      weakens: "the key depends on the ephemeral key",
      find: '["conclave/v1/seal", ephemeral, receiver, encode',
      put: '["conclave/v1/seal", receiver, encode',
    },
    {
      weakens: "the key depends on the receiver",
      find: '["conclave/v1/seal", ephemeral, receiver, encode',
      put: '["conclave/v1/seal", ephemeral, encode',
    },
    {
      weakens: "the key depends on the header",
      find: "receiver, encode(headerCodec, header)]);",
      put: "receiver]);",
    },
    {
      weakens: "the header is associated data",
      find: "const cipher = xchacha20poly1305(key, nonce, encode(headerCodec, header));",
      put: "const cipher = xchacha20poly1305(key, nonce);",
    },
    {
      weakens: "too short a payload does not open",
      find: "if (sealed.length < SEAL_BYTES) return undefined;",
      put: "if (sealed.length < EPHEMERAL_BYTES) throw new Error();",
    },
  ],
};

const ENVELOPE: EditedFile = {
  path: `${SESSION}/envelope.ts`,
  tests: [`${SESSION}/session.test.ts`, `${SESSION}/echo.test.ts`, `${SESSION}/signed-header.test.ts`],
  edits: [
    ...["session", "round", "kind", "from", "to"].map((name) => ({
      weakens: `the signature covers ${name}`,
      find: `    header.${name},\n`,
      put: "",
    })),
    { weakens: "the signature covers the payload", find: "    payloadHash,\n  ]);", put: "  ]);" },
    {
      weakens: "a signature is verified",
      find: "verifyEd25519(signature, signedBytes(header, payloadHash), identity);",
      put: "verifyEd25519(signature, signedBytes(header, payloadHash), identity) || signature.length === 64;",
    },
  ],
};

const SESSIONS: EditedFile = {
  path: `${SESSION}/session.ts`,
  tests: [`${SESSION}/session.test.ts`, `${SESSION}/echo.test.ts`],
  // no edits of what waits for broadcasts and direct messages, or sends echoes: without it no honest run ends, and no test loads
  edits: [
    {
      weakens: "a session that has ended takes nothing more",
      find: 'if (waiting === undefined) return { session, send: [], outcome, ignored: "finished" };\n  const admission',
      put: 'if (waiting === undefined) throw new Error("ended");\n  const admission',
    },
    {
      weakens: "verdicts are those that the session waits for",
      find: "examination === undefined || !isFit",
      put: "examination === undefined",
      tests: ["packages/threshold/src/checks/checks-apart.test.ts"],
    },
    {
      weakens: "the fault of an echo ends the session",
      find: "if (fault !== undefined) return accuse(fault);\n    if (received",
      put: "if (fault !== undefined && false) return accuse(fault);\n    if (received",
    },
    {
      weakens: "a round with echo waits for all echoes",
      find: "if (received(config, waiting, ENVELOPE_KIND.echo) === undefined) return wait;",
      put: "",
    },
    {
      weakens: "what we said is compared with the echoes",
      find: "    ...ownSaying(config, waiting),\n",
      put: "",
    },
    {
      weakens: "a sealed message that does not open is a fault",
      find: "if (payload === undefined) {\n      const check",
      put: "if (payload === undefined) continue;\n    if (payload.length < 0) {\n      const check",
      tests: [`${SESSION}/seal.test.ts`],
    },
    {
      weakens: "rounds are numbered upwards",
      find: "if (round.number <= current) throw",
      put: "if (round.number < 0) throw",
    },
    {
      weakens: "early messages are checked as their round begins",
      find: 'if (entry.kind === "fault") return accuse(entry.fault);',
      put: 'if (entry.kind === "fault") throw new Error("fault");',
    },
    {
      weakens: "a fault carries its evidence",
      find: "return accuse({ culprit, check, messages, material });",
      put: "return accuse({ culprit, check, messages: messages.slice(0, 0), material });",
      tests: ["packages/threshold/src/frost/frost.mutation.test.ts"],
    },
  ],
};

const EVIDENCE: EditedFile = {
  path: `${SESSION}/signed-message.ts`,
  tests: [`${SESSION}/echo.test.ts`, `${SESSION}/session.test.ts`, `${SESSION}/signed-header.test.ts`],
  edits: [
    ...["round", "kind", "from", "to"].map((name) => ({
      weakens: `equivocation is for one ${name}`,
      find: `  a.${name} === b.${name}`,
      put: `  a.${name} >= 0`,
    })),
    { weakens: "equivocation is in one session", find: "equalBytes(a.session, b.session) &&", put: "" },
    {
      weakens: "equivocation takes two payloads",
      find: "!equalBytes(a.payloadHash, b.payloadHash) && ",
      put: "",
    },
    {
      weakens: "the first message of an equivocation is signed",
      find: "isSigned(a) && isSigned(b)",
      put: "isSigned(b)",
    },
    {
      weakens: "the second message of an equivocation is signed",
      find: "isSigned(a) && isSigned(b)",
      put: "isSigned(a)",
    },
  ],
};

const CONFIG: EditedFile = {
  path: `${SESSION}/config.ts`,
  tests: [`${SESSION}/session.test.ts`],
  edits: [
    {
      weakens: "parties are ascending and distinct",
      find: "if (!ascending) throw",
      put: "if (parties.length === 0) throw",
    },
    {
      weakens: "parties are distinct",
      find: "party > (parties[at - 1] ?? party)",
      put: "party >= (parties[at - 1] ?? party)",
    },
    {
      weakens: "we are a party",
      find: "if (!parties.includes(self)) throw",
      put: "if (parties.length === 0) throw",
    },
    {
      weakens: "every peer's keys are pinned",
      find: "for (const party of peersOf(config)) keysOf(config, party);",
      put: "",
    },
  ],
};

const SESSION_ID: EditedFile = {
  path: `${SESSION}/session-id.ts`,
  tests: [`${SESSION}/session-id.test.ts`],
  edits: ["execution", "protocol", "keyId", "epoch", "parties", "threshold", "total", "curve"].map(
    (name) => ({
      weakens: `the session's id depends on ${name} (P11)`,
      find: "[execution, protocol, keyId, epoch, parties, threshold, total, curve]",
      put: "[execution, protocol, keyId, epoch, parties, threshold, total, curve]".replace(
        new RegExp(`${name}(, )?`),
        "",
      ),
    }),
  ),
};

/** Every check of the session layer. */
export const SESSION_EDITS: readonly EditedFile[] = [
  ADMISSION,
  ECHO,
  SEAL,
  ENVELOPE,
  SESSIONS,
  EVIDENCE,
  CONFIG,
  SESSION_ID,
];
