export { type IdentityProvider, type LoginBinding, openIdentityProvider } from "./provider.ts";
export { loadIdentityProviders, type ProviderEntry } from "./provider-list.ts";
