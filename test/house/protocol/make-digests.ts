import {
  CGGMP24,
  FROST_TAPROOT,
  keyDigest,
  PRODUCTION_PARAMETERS,
  presignatureId,
} from "@conclave/threshold";
import {
  insecureAuxiliaryInfo,
  insecureSchemeShares,
  testParty,
  testSessionId,
} from "@conclave/threshold/testing";
import {
  type AuxiliaryOpening,
  auxiliaryCommitment,
  auxiliaryOpeningCodec,
} from "../../../packages/threshold/src/auxiliary/opening.ts";
import { publicAuxiliaryDigest } from "../../../packages/threshold/src/auxiliary/public-auxiliary.ts";
import { sessionWithRho } from "../../../packages/threshold/src/auxiliary/run.ts";
import { encode } from "../../../packages/threshold/src/codec.ts";
import { requestOf } from "../../../packages/threshold/src/frost/run.ts";
import { multiplyBase } from "../../../packages/threshold/src/group.ts";
import { importSignerIdOf } from "../../../packages/threshold/src/import/import-identity.ts";
import { chainCodeOf } from "../../../packages/threshold/src/import/round1.ts";
import {
  agreedOf,
  type Statement,
  statementCodec,
} from "../../../packages/threshold/src/import/statement.ts";
import { keyConfirmation } from "../../../packages/threshold/src/keygen/confirmation.ts";
import { publicKeyInfoCodec } from "../../../packages/threshold/src/keygen/key-share.ts";
import { keyCommitment } from "../../../packages/threshold/src/keygen/opening.ts";
import { epochConfirmation } from "../../../packages/threshold/src/redistribution/confirmation.ts";
import { dealingCommitment } from "../../../packages/threshold/src/redistribution/messages.ts";
import { refreshRun } from "../../../packages/threshold/src/refresh/refresh.ts";
import type { Field } from "../../../packages/threshold/src/transcript.ts";
import { written } from "./make-challenges.ts";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const filled = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

const session = testSessionId("digests");
const [ONE, TWO, THREE] = [testParty(1), testParty(2), testParty(3)];
const parties = [ONE, TWO, THREE];
const infoOf = () => {
  const share = insecureSchemeShares(CGGMP24, 2, parties, "digests").get(ONE);
  if (share === undefined) throw new Error("the dealer leaves nobody out");
  return share.info;
};
const old = infoOf();
const next = { ...old, epoch: 4 };
const run = { session, self: ONE, parties, threshold: 2, keyId: "key-1", epoch: 1, scheme: CGGMP24 };
const points = [multiplyBase(5n), multiplyBase(6n)];

/** A digest that the code computes, with the domain and fields of the document. */
interface Named {
  readonly what: string;
  readonly domain: string;
  readonly fields: readonly Field[];
  readonly digest: Uint8Array;
}

const ofKeys = (): readonly Named[] => {
  const A = multiplyBase(7n);
  const opening = { rid: filled(1), polynomial: points, schnorr: A, mask: filled(2), chainCode: filled(3) };
  const { publicKey, publicShares, chainCode, keyId, epoch, threshold } = old;
  const shares = [...publicShares].map(([party, share]) => [party, share]);
  return [
    {
      what: "keyDigest",
      domain: "public key info",
      fields: [encode(publicKeyInfoCodec(CGGMP24), old)],
      digest: keyDigest(old),
    },
    { what: "presignatureId", domain: "presignature", fields: [session], digest: presignatureId(session) },
    {
      what: "V of key generation",
      domain: "keygen V",
      fields: [session, "CGGMP24", 1, "key-1", 2, parties, 2, filled(1), points, A, filled(2), filled(3)],
      digest: keyCommitment(run, TWO, opening),
    },
    {
      what: "confirmation of a key",
      domain: "keygen confirmation",
      fields: [session, "CGGMP24", keyId, epoch, threshold, parties, publicKey, shares, chainCode],
      digest: keyConfirmation(session, old),
    },
  ];
};

const ofRedistributions = (): readonly Named[] => {
  const refresh = refreshRun({ session, key: { self: ONE, info: old }, nextEpoch: 4 });
  const coefficients = points.slice(0, 1);
  const terms = [keyDigest(old), parties, parties, 2, 4];
  return [
    {
      what: "V of a redistribution",
      domain: "refresh V",
      fields: [session, terms, 3, coefficients, filled(4)],
      digest: dealingCommitment(refresh, THREE, { coefficients, mask: filled(4) }),
    },
    {
      what: "confirmation of an epoch",
      domain: "refresh confirmation",
      fields: [session, parties, keyDigest(old), keyDigest(next)],
      digest: epochConfirmation(refresh, next),
    },
  ];
};

const ofAuxiliary = (): readonly Named[] => {
  const parameters = PRODUCTION_PARAMETERS;
  const aux = { session, self: ONE, parties, epoch: 2, parameters };
  const zeros = Array.from({ length: parameters.iterations }, (_, at) => BigInt(at));
  const proof = { commitments: zeros, responses: zeros };
  const opening: AuxiliaryOpening = {
    n: 11n,
    nHat: 13n,
    s: 3n,
    t: 5n,
    proof,
    rho: filled(5),
    mask: filled(6),
  };
  const bytes = encode(auxiliaryOpeningCodec(parameters), opening);
  return [
    {
      what: "V of auxiliary information",
      domain: "aux V",
      fields: [session, 2, "CGGMP24-128", parties, 3, bytes],
      digest: auxiliaryCommitment(aux, THREE, opening),
    },
    {
      what: "session of Πmod and Πfac",
      domain: "aux session with ρ",
      fields: [session, 2, filled(7)],
      digest: sessionWithRho(aux, filled(7)),
    },
  ];
};

const ofFrost = (): readonly Named[] => {
  const share = insecureSchemeShares(FROST_TAPROOT, 2, parties, "digests").get(ONE);
  if (share === undefined) throw new Error("the dealer leaves nobody out");
  const asked = { session, signers: [ONE, THREE], key: share, message: Uint8Array.of(1, 2) };
  const fields = [session, keyDigest(share.info), [1, 3], Uint8Array.of(1, 2)];
  const domain = "FROST request";
  return [
    { what: "request of FROST", domain, fields, digest: requestOf(asked) },
    {
      what: "request of FROST with a merkle root",
      domain,
      fields: [...fields, filled(8)],
      digest: requestOf({ ...asked, merkleRoot: filled(8) }),
    },
  ];
};

const ofImports = (): readonly Named[] => {
  const assignment = new Map([
    [ONE, 2],
    [TWO, 1],
    [THREE, 3],
  ]);
  const imported = { ...run, assignment };
  const agreed = agreedOf(imported, { publicShares: points, chainCode: filled(9) });
  const positions = [...assignment].map(([party, position]) => [party, position]);
  const flawed: Statement<(typeof points)[number]> = {
    kind: "flawed",
    flaw: { code: "Malformed", field: "version" },
  };
  const statements = new Map([
    [ONE, flawed],
    [TWO, flawed],
  ]);
  const said = encode(statementCodec(CGGMP24.curve), flawed);
  return [
    {
      what: "terms of an import",
      domain: "import terms",
      fields: [session, ["CGGMP24", "key-1", 1, 2, parties, positions]],
      digest: agreed.terms,
    },
    {
      what: "public shares of an import",
      domain: "import public shares",
      fields: [session, points],
      digest: agreed.public_shares,
    },
    {
      what: "chain code of an import",
      domain: "import chain code",
      fields: [session, [filled(9)]],
      digest: agreed.chain_code,
    },
    {
      what: "chain code where a client gave none",
      domain: "import chain code",
      fields: [session, [said, said]],
      digest: chainCodeOf(imported, { chainCode: undefined }, statements),
    },
    {
      what: "signer id of imports",
      domain: "import signer id",
      fields: [new Uint8Array(34).fill(1)],
      digest: importSignerIdOf(new Uint8Array(34).fill(1)),
    },
  ];
};

/** The document's digests, each computed by the code's own function, with its fields. */
export const digestVectors = () =>
  [...ofKeys(), ...ofRedistributions(), ...ofAuxiliary(), ...ofFrost(), ...ofImports()].map(
    ({ what, domain, fields, digest }) => ({
      what,
      domain,
      fields: fields.map(written),
      digest: hexOf(digest),
    }),
  );

/** The public auxiliary information of two signers, and its digest. */
export const auxiliaryVector = () => {
  const info = insecureAuxiliaryInfo([ONE, TWO], 3).get(ONE);
  if (info === undefined) throw new Error("both have it");
  return {
    level: info.parameters.name,
    epoch: info.epoch,
    peers: [...info.peers].map(([party, { paillier, pedersen }]) => ({
      party,
      numbers: [paillier.n, pedersen.n, pedersen.s, pedersen.t].map((value) => value.toString(16)),
    })),
    digest: hexOf(publicAuxiliaryDigest(info)),
  };
};
