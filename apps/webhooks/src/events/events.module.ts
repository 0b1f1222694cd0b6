import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module';
import { EndpointsModule } from '../endpoints/endpoints.module';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';

@Module({
  imports: [DeliveriesModule, EndpointsModule],
  controllers: [EventsController],
  providers: [EventsService],
})
export class EventsModule {}
