export { withAuthority } from "./authorities.ts";
export {
  type CertificateAuthority,
  type CertificateRequest,
  certifyKey,
  type Leaf,
  type LeafRequest,
  makeCertificateAuthority,
  makeLeaf,
} from "./authority.ts";
export * from "./loading.ts";
