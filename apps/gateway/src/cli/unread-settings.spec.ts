import { unreadSettings } from './unread-settings';

describe('unreadSettings', () => {
  it('suggests the nearest setting for an unknown variable', () => {
    expect(unreadSettings(['LOG_LEVLE', 'log_level', 'WEBHOOK_LOG_DAY', 'OTEL_EXPORTER_OTLP_ENDPONT'])).toEqual([
      { name: 'LOG_LEVLE', suggestion: 'LOG_LEVEL' },
      { name: 'log_level', suggestion: 'LOG_LEVEL' },
      { name: 'WEBHOOK_LOG_DAY', suggestion: 'WEBHOOK_LOG_DAYS' },
      { name: 'OTEL_EXPORTER_OTLP_ENDPONT', suggestion: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
    ]);
  });

  it('suggests nothing if no setting is similar', () => {
    expect(unreadSettings(['GATEWAY_BIND', 'COMPOSE_PROFILES'])).toEqual([
      { name: 'GATEWAY_BIND' },
      { name: 'COMPOSE_PROFILES' },
    ]);
  });

  it('accepts the settings of every program', () => {
    expect(unreadSettings(['LOG_LEVEL', 'OTP_PEPPER', 'SIMULATOR_PORT', 'DATABASE_ADMIN_URL'])).toEqual([]);
  });

  it('accepts variables of the container, Node and libraries', () => {
    expect(
      unreadSettings(['PATH', 'HOSTNAME', 'NODE_OPTIONS', 'NODE_VERSION', 'https_proxy', 'AWS_REGION', 'TERM']),
    ).toEqual([]);
  });

  it.each(
    `SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS TZ HTTP_PROXY HTTPS_PROXY NO_PROXY no_proxy OTEL_SERVICE_NAME
     OTEL_EXPORTER_OTLP_TIMEOUT OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_CERTIFICATE`.split(/\s+/),
  )('accepts %s although a setting is similar', (name) => {
    expect(unreadSettings([name])).toEqual([]);
  });

  it.each([
    ['SSL_KEY_FILE', 'TLS_KEY_FILE'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ])('reports %s, which no library reads', (name, suggestion) => {
    expect(unreadSettings([name])).toEqual([{ name, suggestion }]);
  });
});
