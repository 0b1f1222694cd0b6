import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { notFound } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../decorators/public.decorator';
import type { GatewayConfig } from '../config';
import { namesTag } from '../http/entity-tags';
import { type DashboardFiles, readDashboard } from './dashboard-files';

const BECAUSE =
  'the dashboard is the same for every client and contains no account data; it reads its data from /console/v1';
/** Rate limit per address. A page loads a dozen files, all served from memory. */
const READERS = { perAddress: { limit: 600, windowMs: 60_000, burst: 600 } };
const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Switchboard</title>
<p>The dashboard is not part of this build. <code>npx nx build dashboard</code> makes it; then restart the gateway.</p>
</html>`;

/** Content security policy of the page, which allows only its own files and no inline code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Serves the dashboard: the same page for every path below `/dashboard`, and its assets. */
@ApiExcludeController()
@Controller()
export class DashboardController {
  private readonly files: DashboardFiles | undefined;

  constructor(@Inject(CONFIG) { DASHBOARD_FOLDER }: GatewayConfig) {
    this.files = readDashboard(DASHBOARD_FOLDER);
  }

  @Get()
  @Public(BECAUSE, READERS)
  home(@Res() reply: FastifyReply): void {
    void reply.redirect('/dashboard', 302);
  }

  @Get('dashboard')
  @Public(BECAUSE, READERS)
  page(@Res() reply: FastifyReply): void {
    reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' });
    reply.headers({ 'cross-origin-opener-policy': 'same-origin', 'referrer-policy': 'no-referrer' });
    void reply
      .type('text/html; charset=utf-8')
      .status(this.files ? 200 : 503)
      .send(this.files?.page ?? NOT_BUILT);
  }

  @Get('dashboard/*')
  @Public(BECAUSE, READERS)
  pageBelow(@Res() reply: FastifyReply): void {
    this.page(reply);
  }

  @Get('dashboard/assets/:file')
  @Public(BECAUSE, READERS)
  asset(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const file = this.files?.assets.get(name);
    if (!file) throw notFound('file');
    const { type, etag, body, brotli } = file;
    reply.headers({ etag, 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' });
    if (namesTag(request.headers['if-none-match'], etag)) return void reply.status(304).send();
    const isCompressed = brotli !== undefined && /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    if (isCompressed) reply.header('content-encoding', 'br');
    void reply.type(type).send(isCompressed ? brotli : body);
  }
}
