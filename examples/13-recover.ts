// A user has lost a device, and registers a new one with a recovery key that was kept apart.
import { DfnsApiClient, DfnsAuthenticator } from "dfns-sdk-0-8-21";
import { z } from "zod";
import { administratorOptions, setting } from "./cluster.ts";
import { Device } from "./device.ts";

const [baseUrl, orgId] = [setting("CONCLAVE_API"), setting("CONCLAVE_ORG")];
const options = administratorOptions();
const administrator = new DfnsApiClient(options);
const visitor = (authToken?: string) =>
  new DfnsApiClient({ baseUrl, ...(authToken === undefined ? {} : { authToken }) });
const [phone, recoveryKey, nextPhone] = [new Device(), new Device(), new Device()];

// while all is well: an invitation, and two keys. The recovery key is kept elsewhere, sealed under words that only its owner has
const username = `alice-${Date.now()}@acme.example`;
const invited = await administrator.auth.createUser({ body: { email: username, kind: "CustomerEmployee" } });
const { registrationCode } = z.object({ registrationCode: z.string() }).parse(invited);
const begun = await visitor().auth.createRegistrationChallenge({
  body: { orgId, username, registrationCode },
});
await visitor(begun.temporaryAuthenticationToken).auth.register({
  body: {
    firstFactorCredential: { credentialKind: "Key", credentialInfo: phone.attest(begun.challenge) },
    recoveryCredential: {
      credentialKind: "RecoveryKey",
      credentialInfo: recoveryKey.attest(begun.challenge),
      encryptedPrivateKey: "sealed by the client",
    },
  },
});

// the phone is lost: an administrator makes a code and hands it on, and the recovery key signs for the next phone
const answer = await fetch(`${baseUrl}/auth/users/${invited.userId}/recovery-code`, {
  method: "POST",
  headers: { authorization: `Bearer ${options.authToken}`, "content-type": "application/json" },
  body: "{}",
});
const { recoveryCode } = z.object({ recoveryCode: z.string() }).parse(await answer.json());
const { challenge, temporaryAuthenticationToken } = await visitor().auth.createRecoveryChallenge({
  body: { orgId, username, verificationCode: recoveryCode, credentialId: recoveryKey.credId },
});
const newCredentials = {
  firstFactorCredential: { credentialKind: "Key" as const, credentialInfo: nextPhone.attest(challenge) },
};
await visitor(temporaryAuthenticationToken).auth.recover({
  body: { recovery: recoveryKey.vouch(newCredentials), newCredentials },
});

const login = (device: Device) =>
  new DfnsAuthenticator({ baseUrl, signer: device.signer() }).login({ orgId, username });
console.log(`the next phone logs in: ${(await login(nextPhone)).token.length > 0}`);
console.log(
  `the lost one does: ${await login(phone).then(
    () => true,
    () => false,
  )}`,
);
