export {
  type CertificateAuthority,
  type Leaf,
  type LeafRequest,
  makeCertificateAuthority,
  makeLeaf,
} from "./authority.ts";
export * from "./loading.ts";
