export {
  AUTHORITY_DAYS,
  type CertificateAuthority,
  LEAF_DAYS,
  type Leaf,
  type LeafRequest,
  makeCertificateAuthority,
  makeLeaf,
} from "./authority.ts";
export * from "./loading.ts";
