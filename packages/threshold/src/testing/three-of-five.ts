import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import * as mpc from "../index.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { insecureAuxiliaryPrimes, runAmong, testParties, testSessionId } from "./index.ts";

const parties = testParties(5);
const signers = parties.filter((party) => party !== 2 && party !== 5); // any three

// A key shared among five parties; none of them ever holds it whole
const key = { session: testSessionId("key"), parties, keyId: "wallet 1", epoch: 0, scheme: mpc.CGGMP24 };
const keyOf = runAmong(parties, (self) => mpc.startKeyGeneration({ ...key, self, threshold: 3 }));

// Paillier and ring-Pedersen moduli for all keys of these parties; INSECURE: yours are random, secret and fresh
const auxiliary = { session: testSessionId("auxiliary"), parties, epoch: 0, parameters };
const auxiliaryOf = runAmong(parties, (self) =>
  mpc.startAuxiliaryGeneration({ ...auxiliary, self, primes: new mpc.Secret(insecureAuxiliaryPrimes(self)) }),
);

// A presignature, which lacks only the message, then the signature
const session = testSessionId("signing");
const presigned = runAmong(signers, (self) =>
  mpc.startPresigning({ session, self, signers, key: keyOf(self), auxiliary: auxiliaryOf(self) }),
);
const digest = sha256(utf8ToBytes("pay Bob one ether")); // of a message that every signer has read itself
const signed = runAmong(signers, (self) => mpc.startSigning({ self, presignature: presigned(self), digest }));

// Every signer has the signature, and it is plain ECDSA
export const areValid = signers.map((self) => {
  const signature = new secp256k1.Signature(signed(self).r, signed(self).s).toBytes();
  return secp256k1.verify(signature, digest, keyOf(self).info.publicKey.toBytes(), { prehash: false });
});
