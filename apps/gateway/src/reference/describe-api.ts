import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { schemas } from './schemas';

/** The OpenAPI description of the public API, from the decorators on its routes and the schemas beside this file. */
export function describeApi(app: INestApplication, publicBaseUrl: string): OpenAPIObject {
  const options = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Switchboard')
    .setDescription('Send business messages, read them back, verify one-time passwords.')
    .setVersion('1')
    .addServer('/', 'This installation')
    .addServer(publicBaseUrl, 'Its public address')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'sb_live_…', description: 'An API key' })
    .build();
  const document = SwaggerModule.createDocument(app, options);
  return { ...document, components: { ...document.components, schemas } };
}
