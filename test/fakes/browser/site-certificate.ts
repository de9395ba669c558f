import { createHash, X509Certificate } from 'node:crypto';

/** A certificate of `site.test` that no browser trusts, and its key: they protect nothing. */
export const SITE_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBojCCAUigAwIBAgIUVNCMLq222m4HSaysuqZ42iOOo0UwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJc2l0ZS50ZXN0MCAXDTI2MTEyNTIyNTAxOFoYDzIxMjYxMTAx
MjI1MDE4WjAUMRIwEAYDVQQDDAlzaXRlLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATw0WP+HqSnuZeBEUKM47jmhJbByrJoqnpYvZho9XIWXqH6x5xdA6xB
LL5sCv/BLFZQTlqKw7IeYpbT0Sj3MtXko3YwdDAdBgNVHQ4EFgQUibyU6J1xPC9+
+hGTPeGkShfvWMkwHwYDVR0jBBgwFoAUibyU6J1xPC9++hGTPeGkShfvWMkwDwYD
VR0TAQH/BAUwAwEB/zAhBgNVHREEGjAYgglzaXRlLnRlc3SCCyouc2l0ZS50ZXN0
MAoGCCqGSM49BAMCA0gAMEUCIHooOtD5wV92D/Og809RvXbZvKkZ/nSkgno99e6w
1FOFAiEAuu/+r67jzrQWOPQCVKlHRhnP6mGQvy2Ih2g//JEcvLs=
-----END CERTIFICATE-----`;
export const SITE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOc/n+46UhtBtSNrc
OeKugpyuWQyVpa5W3YQz4YvvZHGhRANCAATw0WP+HqSnuZeBEUKM47jmhJbByrJo
qnpYvZho9XIWXqH6x5xdA6xBLL5sCv/BLFZQTlqKw7IeYpbT0Sj3MtXk
-----END PRIVATE KEY-----`;

/** For `--ignore-certificate-errors-spki-list`, with which a browser trusts it. */
export const SITE_KEY_HASH = createHash('sha256')
  .update(new X509Certificate(SITE_CERTIFICATE).publicKey.export({ type: 'spki', format: 'der' }))
  .digest('base64');
