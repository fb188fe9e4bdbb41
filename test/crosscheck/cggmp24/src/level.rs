use cggmp24::define_security_level;
use cggmp24::security_level::{SecurityLevel, SecurityLevel128, M};
use serde::Serialize;

/// The crate's own level.
pub type Production = SecurityLevel128;

/// Conclave's INSECURE_TEST_PARAMETERS, which the crate does not have.
#[derive(Clone)]
pub struct Reduced;
define_security_level!(Reduced {
    kappa_bits: 256,
    rsa_prime_bitlen: 640,
    rsa_pubkey_bitlen: 1279,
    epsilon: 320,
    ell: 256,
    ell_prime: 896,
    m: 128,
});

/// The numbers of a level, under Conclave's names.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Numbers {
    prime_bits: u32,
    modulus_bits_min: u32,
    ell: usize,
    epsilon: usize,
    ell_prime: usize,
    iterations: usize,
}

pub fn numbers_of<L: SecurityLevel>() -> Numbers {
    Numbers {
        prime_bits: L::RSA_PRIME_BITLEN,
        modulus_bits_min: L::RSA_PUBKEY_BITLEN,
        ell: L::ELL,
        epsilon: L::EPSILON,
        ell_prime: L::ELL_PRIME,
        iterations: M,
    }
}
