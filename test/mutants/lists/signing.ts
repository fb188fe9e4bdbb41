import type { Edit, EditedFile } from "../edit.ts";

const THRESHOLD = "packages/threshold/src";
const FROST = `${THRESHOLD}/frost`;
const SIGN = `${THRESHOLD}/sign`;
const PRESIGN = `${THRESHOLD}/presign`;

const frostTests = [`${FROST}/cheating.test.ts`, `${FROST}/frost-signing.test.ts`];

const FROST_EDITS: readonly EditedFile[] = [
  {
    path: `${FROST}/signature-share.ts`,
    tests: [`${FROST}/rfc9591.test.ts`, `${FROST}/signature-share.test.ts`, ...frostTests],
    edits: [
      { weakens: "R is not the identity (P9)", find: "if (R.is0()) return undefined;", put: "" },
      {
        weakens: "a share is compared with its equation",
        find: "return multiplyKnown(curve, curve.generator, z).equals(expected);",
        put: "return multiplyKnown(curve, curve.generator, z).equals(expected) || z > 0n;",
      },
      {
        weakens: "a share depends on its binding factor",
        find: "multiplyKnown(curve, commitment.binding, factors[position] ?? 0n)",
        put: "multiplyKnown(curve, commitment.binding, factors[position] === undefined ? 0n : 1n)",
      },
      {
        weakens: "a share is checked with its own coefficient",
        find: "multiplyKnown(curve, share, coefficientOf(challenge, party) * c)",
        put: "multiplyKnown(curve, share, c)",
      },
    ],
  },
  {
    path: `${FROST}/commitments.ts`,
    tests: [`${FROST}/rfc9591.test.ts`],
    edits: [
      {
        weakens: "factors bind the key",
        find: "concatBytes(publicKey.toBytes(), h4(message)",
        put: "concatBytes(h4(message)",
      },
      {
        weakens: "factors bind the message (P21)",
        find: "publicKey.toBytes(), h4(message), h5",
        put: "publicKey.toBytes(), h5",
      },
      { weakens: "factors bind all commitments (P21)", find: ", h5(encodeList(suite, list)));", put: ");" },
      {
        weakens: "every signer has a factor of its own",
        find: "h1(concatBytes(prefix, suite.scalarBytes(BigInt(party))))",
        put: "h1(concatBytes(prefix, suite.scalarBytes(BigInt(0 * party))))",
      },
    ],
  },
  {
    path: `${FROST}/nonce.ts`,
    tests: [`${FROST}/nonce.test.ts`, `${FROST}/rfc9591.test.ts`],
    edits: [
      {
        weakens: "nonces bind run and message",
        find: "concatBytes(entropy(RANDOM_BYTES), scalarBytes(secretShare), run)",
        put: "concatBytes(entropy(RANDOM_BYTES), scalarBytes(secretShare), run.slice(run.length))",
      },
      {
        weakens: "nonces depend on the share",
        find: "concatBytes(entropy(RANDOM_BYTES), scalarBytes(secretShare), run)",
        put: "concatBytes(entropy(RANDOM_BYTES), scalarBytes(0n * secretShare), run)",
      },
      {
        weakens: "nonces depend on fresh randomness",
        find: "concatBytes(entropy(RANDOM_BYTES), scalarBytes(secretShare), run)",
        put: "concatBytes(entropy(RANDOM_BYTES).fill(0), scalarBytes(secretShare), run)",
      },
    ],
  },
  {
    path: `${FROST}/round1.ts`,
    tests: frostTests,
    edits: [
      {
        weakens: "a commitment that does not decode is a fault",
        find: "if (!said.ok) return accuse(peer, `frost/1 decoding: ${said.reason}`);",
        put: "if (!said.ok) continue;",
      },
      {
        weakens: "a peer names our request (P21)",
        find: 'if (!equalBytes(said.value.request, run.request)) return accuse(peer, "frost/1 request");',
        put: "",
      },
      {
        weakens: "D is a point of the group",
        find: 'if (hiding === undefined) return accuse(peer, "frost/1 D is a point of the group");',
        put: "if (hiding === undefined) continue;",
      },
      {
        weakens: "E is a point of the group",
        find: 'if (binding === undefined) return accuse(peer, "frost/1 E is a point of the group");',
        put: "if (binding === undefined) continue;",
      },
      { weakens: "nonces are used once (INV-2)", find: "nonces.take());", put: "nonces.reveal());" },
      {
        weakens: "all agree on the commitments (P21)",
        find: 'broadcast: "echo", direct: "none"',
        put: 'broadcast: "plain", direct: "none"',
      },
    ],
  },
  {
    path: `${FROST}/round2.ts`,
    tests: frostTests,
    edits: [
      {
        weakens: "a share that does not decode is a fault",
        find: "if (!z.ok) return accuse(peer, `frost/2 decoding: ${z.reason}`);\n      shares.set(peer, z.value);",
        put: "if (z.ok) shares.set(peer, z.value);",
      },
      {
        weakens: "a signature is verified before it is released (P19)",
        find: "return suite.verify(signature, message, publicKey)\n",
        put: "return suite.verify(signature, message, publicKey) || signature.length > 0\n",
      },
      {
        weakens: "the culprit is who sent the wrong share (INV-7)",
        find: "if (!isSignatureShare(challenge, peer, publicShare, z))",
        put: "if (isSignatureShare(challenge, peer, publicShare, z) || z >= 0n)",
      },
      {
        weakens: "somebody with a wrong share is named",
        find: "if (!isSignatureShare(challenge, peer, publicShare, z))",
        put: "if (z < 0n)",
      },
    ],
  },
  {
    path: `${FROST}/run.ts`,
    tests: [`${FROST}/run.test.ts`, ...frostTests],
    edits: [
      {
        weakens: "the key is for FROST",
        find: "if (scheme.frost === undefined) throw new RangeError(`a key of ${scheme.name} makes no FROST signatures`);",
        put: 'if (scheme.frost === undefined) throw new Error("no FROST");',
      },
      { weakens: "the quorum fits the key", find: "requireSigners(key, self, signers);", put: "" },
      {
        weakens: "a message is not too long (P13)",
        find: "if (config.message.length > FROST_MESSAGE_BYTES_MAX)",
        put: "if (config.message.length < 0)",
      },
      {
        weakens: "the message is copied",
        find: "message: Uint8Array.from(config.message), ...tweak }",
        put: "message: config.message, ...tweak }",
      },
      ...["session", "keyDigest(key.info)", "signers", "message", "...tweak"].map(
        (name): Edit => ({
          weakens: `the request's hash depends on ${name}`,
          find: "[session, keyDigest(key.info), signers, message, ...tweak]",
          put: "[session, keyDigest(key.info), signers, message, ...tweak]".replace(
            new RegExp(`${name.replace(/[().]/g, "\\$&")}(, )?`),
            "",
          ),
        }),
      ),
    ],
  },
];

const signTests = [`${SIGN}/sign.test.ts`];
const SIGN_EDITS: readonly EditedFile[] = [
  {
    path: `${SIGN}/sign.ts`,
    tests: signTests,
    edits: [
      {
        weakens: "a digest has 32 bytes",
        find: "if (digest.length !== DIGEST_BYTES)",
        put: "if (digest.length > 2 * DIGEST_BYTES)",
      },
      {
        weakens: "a presignature is our own",
        find: "if (presignature.self !== self) throw",
        put: "if (presignature.self < 0) throw",
      },
      {
        weakens: "a presignature is of this key",
        find: "presignature.keyId !== key.keyId || presignature.epoch !== key.epoch",
        put: "presignature.epoch !== key.epoch",
      },
      {
        weakens: "a presignature is of this epoch",
        find: "presignature.keyId !== key.keyId || presignature.epoch !== key.epoch",
        put: "presignature.keyId !== key.keyId",
      },
      {
        weakens: "a presignature is used once (P6, INV-2)",
        find: "presignature.secret.take();",
        put: "presignature.secret.reveal();",
      },
      { weakens: "the digest is copied", find: "Uint8Array.from(digest);", put: "digest;" },
    ],
  },
  {
    path: `${SIGN}/round1.ts`,
    tests: signTests,
    edits: [
      {
        weakens: "a partial signature decodes",
        find: "if (!partial.ok) return accuse(signer, `sign/1 decoding: ${partial.reason}`);",
        put: "if (!partial.ok) continue;",
      },
      {
        weakens: "a signature is verified before it is released (P19)",
        find: "if (isSignatureOf(publicKey, digest, signature))",
        put: "if (signature.r > 0n)",
      },
      {
        weakens: "somebody with a wrong partial signature is named",
        find: "if (!isPartialSignature(Gamma, sigma, m, r, expected)) return",
        put: "if (sigma < 0n) return",
      },
      {
        weakens: "nobody else is named (INV-7)",
        find: "if (!isPartialSignature(Gamma, sigma, m, r, expected)) return",
        put: "if (sigma >= 0n) return",
      },
    ],
  },
  {
    path: `${SIGN}/signature.ts`,
    tests: [`${SIGN}/signature.test.ts`],
    edits: [
      // that r is not zero is no edit: no point of the curve has an x of zero
      { weakens: "s is not zero", find: "r >= ORDER || s <= 0n ||", put: "r >= ORDER || s < 0n ||" },
      { weakens: "s is low", find: "s <= 0n || s > ORDER / 2n", put: "s <= 0n || s >= ORDER" },
      {
        weakens: "the key is not the identity",
        find: "publicKey.is0() || digest.length !== SCALAR_BYTES",
        put: "digest.length !== SCALAR_BYTES",
      },
      {
        weakens: "the digest has 32 bytes",
        find: "publicKey.is0() || digest.length !== SCALAR_BYTES",
        put: "publicKey.is0()",
      },
      {
        weakens: "x(R) is r",
        find: "return x === r && (y & 1n) === BigInt(recovery);",
        put: "return (y & 1n) === BigInt(recovery);",
      },
      {
        weakens: "the recovery id is right",
        find: "return x === r && (y & 1n) === BigInt(recovery);",
        put: "return x === r;",
      },
      { weakens: "s is made low", find: "s: isHigh ? ORDER - s : s", put: "s" },
    ],
  },
  {
    path: `${SIGN}/nonce-scalar.ts`,
    tests: [`${SIGN}/nonce-scalar.test.ts`],
    edits: [
      {
        weakens: "Γ is not the identity (P9)",
        find: "if (Gamma.is0()) return undefined;",
        put: "if (Gamma.is0()) return 1n;",
      },
      { weakens: "r is below q", find: "x > 0n && x < ORDER ? x : undefined", put: "x > 0n ? x : undefined" },
    ],
  },
];

const cheating = [`${PRESIGN}/cheating.test.ts`];
const disputes = [`${PRESIGN}/dispute.test.ts`];
const FALSE_EVIDENCE = [`${PRESIGN}/presign.mutation.test.ts`];
const ELOG_OF_GAMMA =
  'if (!verifyElGamalLog({ ...context, verifier: "all", position: "presign/2 Γ" }, ofGamma, proof)) {\n';
const PRESIGN_EDITS: readonly EditedFile[] = [
  {
    path: `${PRESIGN}/commitment-check.ts`,
    tests: cheating,
    edits: [
      {
        weakens: "Πenc-elg of K verifies (P5)",
        find: 'if (!verifyPaillierElGamal(at("K"), parameters, ofK, proofs.K, own)) return "presign/1 Πenc-elg of K";',
        put: "void ofK;",
      },
      {
        weakens: "Πenc-elg of G verifies (P5)",
        find: 'return verifyPaillierElGamal(at("G"), parameters, ofG, proofs.G, own)\n',
        put: "return ofG.C > 0n\n",
      },
    ],
  },
  {
    path: `${PRESIGN}/conversion-check.ts`,
    tests: cheating,
    edits: [
      {
        weakens: "Πelog of Γ verifies",
        find: `${ELOG_OF_GAMMA}    return { kind: "fails"`,
        put: 'if (ofGamma.L.is0()) {\n    return { kind: "fails"',
      },
      {
        weakens: "Πaff-g of D verifies (P5)",
        find: 'if (nonce === undefined) return { kind: "fails", check: "presign/2 Πaff-g of D" };',
        put: 'if (nonce === undefined) return { kind: "stands", found: new Secret([0n, 0n]) };',
      },
      {
        weakens: "Πaff-g of D^ verifies (P5)",
        find: 'if (key === undefined) return { kind: "fails", check: "presign/2 Πaff-g of D^" };',
        put: 'if (key === undefined) return { kind: "stands", found: new Secret([nonce, 0n]) };',
      },
      {
        weakens: "Πelog of Γ verifies, to anybody",
        find: `${ELOG_OF_GAMMA}    return "presign/2 Πelog of Γ"`,
        put: 'if (ofGamma.L.is0()) {\n    return "presign/2 Πelog of Γ"',
        tests: FALSE_EVIDENCE,
      },
      {
        weakens: "Πaff-g of D verifies, to anybody",
        find: 'if (!stands(Gamma, pair.nonce, proofs.nonce, "presign/2 D")) return "presign/2 Πaff-g of D";',
        put: "",
        tests: FALSE_EVIDENCE,
      },
      {
        weakens: "Πaff-g of D^ verifies, to anybody",
        find: 'return stands(publicShare, pair.key, proofs.key, "presign/2 D^") ?',
        put: 'return stands(Gamma, pair.nonce, proofs.nonce, "presign/2 D") ?',
        tests: FALSE_EVIDENCE,
      },
    ],
  },
  {
    path: `${PRESIGN}/round3.ts`,
    tests: cheating,
    edits: [
      {
        weakens: "a reveal decodes",
        find: "if (!broadcast.ok) return accuse(index, `presign/3 decoding: ${broadcast.reason}`);",
        put: 'if (!broadcast.ok) throw new Error("decoding");',
        tests: [`${PRESIGN}/presign.mutation.test.ts`],
      },
      {
        weakens: "Πelog of Δ verifies",
        find: 'return verifyElGamalLog(contextOf(run, index, "all", "presign/3 Δ"), statement, broadcast.value.proof)\n',
        put: "return statement.L.is0() === false\n",
      },
    ],
  },
  {
    path: `${PRESIGN}/output.ts`,
    tests: disputes,
    edits: [
      {
        weakens: "δ·G = Σ Δ_j",
        find: 'if (!multiplyPublic(GENERATOR, delta).equals(sumPoints(all.map(({ Delta }) => Delta)))) return "nonce";',
        put: "",
      },
      {
        weakens: "δ·X = Σ S_j",
        find: 'return multiplyPublic(publicKey, delta).equals(sumPoints(all.map(({ S }) => S))) ? undefined : "key";',
        put: 'return publicKey.is0() ? "key" : undefined;',
      },
    ],
  },
  {
    path: `${PRESIGN}/dispute.ts`,
    tests: [`${PRESIGN}/dispute-evidence.test.ts`],
    edits: [
      {
        weakens: "nobody waits for a cheat that opens nothing",
        find: 'disputed.product === "nonce" && heard.size',
        put: "run.self > 64 && heard.size",
      },
    ],
  },
  {
    path: "packages/threshold/src/session/session.ts",
    tests: [`${PRESIGN}/dispute-evidence.test.ts`],
    edits: [
      {
        weakens: "a fault shows before all messages of a round are there",
        find: "round.early?.(arrivedBroadcasts(waiting))",
        put: "(round.early === undefined ? undefined : undefined)",
      },
      {
        weakens: "what arrived of a round is judged",
        find: "      .map(({ from, envelope }) => [from, envelope.payload]),",
        put: "      .flatMap(() => []),",
        tests: ["packages/threshold/src/blame/dispute-openings.test.ts"],
      },
    ],
  },
  {
    path: "packages/threshold/src/session/examination.ts",
    tests: ["packages/threshold/src/blame/dispute-openings.test.ts"],
    edits: [
      {
        weakens: "a fault that shows early carries its material",
        find: "return step && change(step);",
        put: "return step && { ...change(step), material: undefined };",
      },
    ],
  },
  {
    path: "packages/threshold/src/presign/messages.ts",
    tests: [
      "packages/threshold/src/presign/dispute.test.ts",
      "packages/threshold/src/blame/dispute-openings.test.ts",
    ],
    edits: [
      {
        weakens: "openings of an older version are read (INV-7)",
        find: "return opening.ok || !older.ok ? opening : older;",
        put: "return older.ok ? opening : opening;",
      },
    ],
  },
  {
    path: "packages/threshold/src/blame/presigning-faults.ts",
    tests: ["packages/threshold/src/blame/dispute-openings.test.ts"],
    edits: [
      {
        weakens: "with the false opening of another nothing is shown (INV-7)",
        find: 'if (found?.check.startsWith("presign/4 opening") ?? false)',
        put: 'if (found?.check === "")',
      },
    ],
  },
  {
    path: `${PRESIGN}/judgement.ts`,
    tests: disputes,
    edits: [
      {
        weakens: "γ is what Γ hides",
        find: 'if (!multiplyBase(opening.gamma).equals(of(conversions, index).Gamma)) return "opening of γ";',
        put: "",
      },
      {
        weakens: "k is what Δ hides",
        find: 'if (!multiplyPublic(Gamma, opening.k).equals(of(reveals, index).Delta)) return "opening of k";',
        put: "",
      },
      { weakens: "a plaintext is in range", find: "2n * absolute(alpha) < key.n &&", put: "" },
      // that a root is a unit is no edit: its ciphertext is one (Πaff-g), so no other root gives it
      {
        weakens: "a plaintext encrypts to its ciphertext",
        find: "&& encrypt(key, alpha, root) === D;",
        put: "&& D > 0n;",
      },
      {
        weakens: "all plaintexts are opened",
        find: "const isOpen = senders.every(",
        put: "const isOpen = senders.some(",
      },
      {
        weakens: "what a signer subtracted is opened",
        find: 'return opening.offsets.every(isOffset) ? undefined : "opening of F";',
        put: "return opening.offsets.some(isOffset) ? undefined : undefined;",
      },
      {
        weakens: "δ_i follows from what the others opened",
        find: ".equals(multiplyBase(delta));",
        put: ".is0() === false;",
      },
      {
        weakens: "nobody is judged before all others have opened (INV-7)",
        find: "openings.has(member.index) ||",
        put: "openings.size > 0 ||",
      },
      {
        weakens: "S_i is judged with the opening of its signer",
        find: "(member.index === index && !takesOwnOpening(disputed, index, openings))",
        put: "member.index === index",
      },
      {
        weakens: "what an older version opened is judged as it was (INV-7)",
        find: "other !== index && offsets.length === 0",
        put: "other !== index && offsets.length === -1",
      },
      {
        weakens: "δ_i follows from the openings of an older version",
        find: "return scalar(of(openings, index).gamma * k + balance) === delta;",
        put: "return delta >= 0n;",
      },
      {
        weakens: "S_i follows from the openings",
        find: 'return multiplyPublic(chi, sumOver(openings, "gamma")).equals(S);',
        put: "return !chi.equals(S);",
      },
      {
        weakens: "only suspects are named (INV-7)",
        find: "disputed.members.filter(({ index }) => suspects.includes(index))",
        put: "disputed.members.filter(() => suspects.length > 0)",
      },
    ],
  },
  {
    path: `${PRESIGN}/presignature.ts`,
    tests: [`${PRESIGN}/presignature.test.ts`],
    edits: [
      {
        weakens: "signers are ascending (P10)",
        find: "index === undefined || index <= previous",
        put: "index === undefined",
      },
      {
        weakens: "a presignature is of two signers or more",
        find: "publics.size < 2 ? undefined : publics",
        put: "publics",
      },
      { weakens: "we are among the signers", find: "publics.has(self) &&", put: "" },
      { weakens: "Γ gives a nonce (P9)", find: "nonceScalar(Gamma) !== undefined &&", put: "" },
      { weakens: "Σ Δ~_j = G", find: "sumPoints(all.map((each) => each.k)).equals(GENERATOR) &&", put: "" },
      {
        weakens: "Σ S~_j = X",
        find: "&&\n    sumPoints(all.map((each) => each.chi)).equals(publicKey)",
        put: "",
      },
      { weakens: "our k~ fits Δ~", find: "multiply(Gamma, k).equals(own.k) &&", put: "" },
      { weakens: "our χ~ fits S~", find: "&& multiply(Gamma, chi).equals(own.chi)", put: "" },
      {
        weakens: "the format is known",
        find: "!isKnown || publics === undefined",
        put: "publics === undefined",
      },
    ],
  },
];

const QUORUM: EditedFile = {
  path: `${THRESHOLD}/keygen/require-signers.ts`,
  tests: [...frostTests, `${PRESIGN}/presign.test.ts`],
  edits: [
    { weakens: "the share is our own", find: "if (key.self !== self) throw", put: "if (key.self < 0) throw" },
    {
      weakens: "exactly t sign",
      find: "if (signers.length !== threshold) throw",
      put: "if (signers.length < threshold) throw",
    },
    {
      weakens: "we sign",
      find: "if (!signers.includes(self)) throw",
      put: "if (signers.length === 0) throw",
    },
    {
      weakens: "signers are distinct (P10)",
      find: "signer > (signers[at - 1] ?? signer)",
      put: "signer >= (signers[at - 1] ?? signer)",
    },
    {
      weakens: "signers hold the key",
      find: "if (!signers.every((signer) => parties.includes(signer)))",
      put: "if (parties.length === 0)",
    },
  ],
};

const DIGEST_TESTS = [`${THRESHOLD}/keygen/keygen-schemes.test.ts`] as const;

const SHARE_DIGEST: readonly EditedFile[] = [
  {
    path: `${THRESHOLD}/keygen/key-share.ts`,
    tests: DIGEST_TESTS,
    edits: [
      {
        weakens: "bytes that are too short for a share have no digest of a key",
        find: "if (share.length <= OWN_BYTES) throw",
        put: "if (share.length < OWN_BYTES) throw",
      },
      {
        weakens: "all that is public of a share is in the digest (P11)",
        find: "return share.subarray(0, -OWN_BYTES);",
        put: "return share.subarray(0, -2 * OWN_BYTES);",
      },
    ],
  },
  {
    path: `${THRESHOLD}/redistribution/key-digest.ts`,
    tests: DIGEST_TESTS,
    edits: [
      {
        weakens: "the secret of a share is not in the digest",
        find: "digestOf(infoBytesOfShare(share))",
        put: "digestOf(share)",
      },
    ],
  },
];

/** The checks of FROST, of presigning and of signing. */
export const SIGNING_EDITS: readonly EditedFile[] = [
  ...FROST_EDITS,
  ...SIGN_EDITS,
  ...PRESIGN_EDITS,
  QUORUM,
  ...SHARE_DIGEST,
];
