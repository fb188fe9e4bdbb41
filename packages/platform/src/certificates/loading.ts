export {
  hasPublicHalf,
  type Identity,
  type LoadedIdentity,
  loadIdentity,
  loadSigningKey,
  makeIdentity,
  makeSigningKey,
  type SealedSigningKey,
} from "./identity.ts";
export {
  loadPassphrase,
  makePassphrase,
  type PassphraseSource,
  passphraseIn,
} from "./passphrase.ts";
export { openPrivateKey, sealPrivateKey } from "./private-key.ts";
export { type Role, roleOf, roleUri, sameRole } from "./role.ts";
export {
  loadTls,
  type MemberCertificate,
  readMemberCertificate,
  readStatedCertificate,
  type StatedCertificate,
  type TlsFiles,
  type TlsIdentity,
  warnOfCertificateEnd,
} from "./tls.ts";
