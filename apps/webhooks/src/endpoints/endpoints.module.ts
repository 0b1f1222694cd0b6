import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SecretBoxModule } from '@switchboard/platform';
import { CustomerHttpModule } from '../customer-http/customer-http.module';
import { DeliveriesModule } from '../deliveries/deliveries.module';
import { EndpointLifeService } from './endpoint-life.service';
import { EndpointWatch } from './endpoint-watch';
import { Endpoint } from './endpoint.entity';
import { EndpointsController } from './endpoints.controller';
import { EndpointsService } from './endpoints.service';

@Module({
  imports: [CustomerHttpModule, DeliveriesModule, SecretBoxModule, TypeOrmModule.forFeature([Endpoint])],
  controllers: [EndpointsController],
  providers: [EndpointLifeService, EndpointsService, EndpointWatch],
  exports: [EndpointsService],
})
export class EndpointsModule {}
