/** An authorisation as it is sent: the JSON bytes, and the authority's Ed25519 signature over them. */
export interface SignedAuthorisation {
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}
